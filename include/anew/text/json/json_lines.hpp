// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_JSON_JSON_LINES_HPP
#define ANEW_TEXT_JSON_JSON_LINES_HPP

#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/mutex.hpp"
#include "anew/base/policy_change.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/policies/observer/internal/logged_call.hpp"
#include "anew/policies/observer/severity.hpp"
#include "anew/roles/hint.hpp"
#include "anew/roles/observer.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

using json = nlohmann::ordered_json;

inline json milliseconds_or_null(std::optional<duration> d) {
  return d ? json(static_cast<double>(d->count()) / 1e6) : json(nullptr);
}

}  // namespace detail

/// A JSON object in one line. Invalid UTF-8 is replaced, so each line is valid JSON.
[[nodiscard]] inline std::string line_of(nlohmann::ordered_json const& object) {
  return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// An attempt, and the wait that follows it if there is one: members `attempt`, `verdict` ("success", "retry",
/// "final"), `kind`, `safety` ("yes", "maybe", "no") and `hint_ms` of a failure that may be retried, `delay_ms` and
/// `origin`, `is_final`, `severity`. An absent value is null. Add your own.
[[nodiscard]] inline nlohmann::ordered_json json_of(attempt_event const& event,
                                                    std::optional<planned_delay> wait = std::nullopt) {
  detail::json object{{"attempt", event.attempt}, {"verdict", nullptr},        {"kind", nullptr},
                      {"safety", nullptr},        {"hint_ms", nullptr},        {"delay_ms", nullptr},
                      {"origin", nullptr},        {"is_final", event.is_final}};
  auto const& verdict = event.verdict;
  object["verdict"] = verdict.is_success() ? "success" : verdict.is_failure() ? "final" : "retry";
  if (verdict.is_retry()) {
    auto const& what = verdict.what();
    object["kind"] = to_string(what.kind);
    object["safety"] = what.safety == retry_safety::yes ? "yes" : what.safety == retry_safety::maybe ? "maybe" : "no";
    object["hint_ms"] = detail::milliseconds_or_null(what.hint);
  }
  if (wait) {
    object["delay_ms"] = detail::milliseconds_or_null(wait->delay);
    object["origin"] = to_string(wait->origin);
  }
  object["severity"] = to_string(severity_of(event));
  return object;
}

/// The end of a call: members `reason`, `attempts`, `severity`.
[[nodiscard]] inline nlohmann::ordered_json json_of(end_event const& event) {
  return {
      {"reason", to_string(event.reason)}, {"attempts", event.attempts}, {"severity", to_string(severity_of(event))}};
}

/// Writes what calls do as JSON, one object in each line: one for each attempt, one for the end of the call.
///
///     {"event":"attempt","id":7,"call":"report","operation":"get_user","attempt":1,"verdict":"retry","kind":"transient",
///      "safety":"yes","hint_ms":null,"delay_ms":184.2,"origin":"backoff","is_final":false,"severity":"info",
///      "error":"Connection refused","took_ms":1.4}                                                   (in one line)
///     {"event":"end","id":7,"call":"report","operation":"get_user","reason":"succeeded","attempts":2,"severity":"info",
///      "took_ms":190.1}
///     {"event":"gate","call":"report","from":"closed","to":"open","severity":"error"}
///     {"event":"quota","call":"report","from":"granting","to":"empty","severity":"error"}
///
/// `json_lines{sink, "report"}` calls `sink(std::string_view)`, or `sink(severity, std::string_view)` where it takes that,
/// once for each line, without a line break. `id` is the number of the call in its process. A hedge has a line
/// "hedge" when it is planned.
/// `call` is the label, which may be any text; without one it is left out, and so is `operation` without `named()`. `error`
/// is what an exception's `what()` or an error's `message()` says. `took_ms` is the time of the attempt, or of the call with
/// its waits.
///
/// Models: Observer (safe from many threads if the sink is)
/// Formula: none
/// Requires: a sink that may be called while it is const; the header nlohmann/json.hpp
/// Cost: one JSON object for each line, and the clock; a failure that is retried is written before the sleep
/// Choose it for a collector that reads the events of many programs. Not for the eye: timeline.
/// Source: none
template <class Sink>
class json_lines : public detail::logs_calls {
 public:
  using role = roles::observer;

  explicit json_lines(Sink sink, std::string label = {}) : sink_{std::move(sink)}, label_{std::move(label)} {}

  void on_attempt(call_type& call, attempt_event const& event, time_point now) const {
    end_attempt(*call, event, now, writes_attempts(*call));
  }
  void on_retry(call_type& call, retry_event const& event, time_point now) const {
    planned_delay const wait{event.delay, event.origin};
    if (close_attempt(*call, wait, writes_attempts(*call))) return;
    nlohmann::ordered_json members{{"attempt", event.attempt},
                                   {"delay_ms", detail::milliseconds_or_null(wait.delay)},
                                   {"origin", to_string(wait.origin)},
                                   {"severity", to_string(severity_of(event))}};
    write(*call, severity_of(event), "hedge", members, now - call->began);
  }
  void on_end(call_type& call, end_event const& event, time_point now) const {
    close_attempt(*call, std::nullopt, writes_attempts(*call));
    auto members = json_of(event);
    write(*call, severity_of(event), "end", members, now - call->began);
  }

  void on_change(policy_change const& change) const {
    nlohmann::ordered_json object{{"event", to_string(change.of)}};
    if (!label_.empty()) object["call"] = label_;
    object["from"] = to_string(change.of, change.from);
    object["to"] = to_string(change.of, change.to);
    object["severity"] = to_string(severity_of(change));
    detail::write_line(sink_, severity_of(change), line_of(object));
  }

  [[nodiscard]] static std::string describe() { return "json_lines"; }

  static constexpr bool is_sound = detail::sink_takes_lines<Sink>;
  static consteval void explain() { detail::explain_sink<Sink>(); }

 private:
  [[nodiscard]] auto writes_attempts(detail::logged_call const& call) const {
    return [this, &call](detail::logged_attempt const& ended, std::optional<planned_delay> const& wait) {
      auto members = json_of(ended.event, wait);
      members["error"] = ended.error.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(ended.error);
      write(call, severity_of(ended.event), "attempt", members, ended.took);
    };
  }
  void write(detail::logged_call const& call, severity how_loud, char const* what, nlohmann::ordered_json& members,
             duration took) const {
    nlohmann::ordered_json object{{"event", what}, {"id", call.id}};
    if (!label_.empty()) object["call"] = label_;
    if (call.operation != nullptr) object["operation"] = call.operation;
    members["took_ms"] = detail::milliseconds_or_null(took);
    object.update(members);
    detail::write_line(sink_, how_loud, line_of(object));
  }

  ANEW_NO_UNIQUE_ADDRESS Sink sink_;
  std::string label_;
};

/// A file of trace events, an array of JSON objects, which chrome://tracing and Perfetto open. It is complete when this
/// object has been destroyed. Safe from many threads.
class trace_file {
 public:
  explicit trace_file(std::ostream& to) : to_{&to} { *to_ << "[\n"; }
  trace_file(trace_file const&) = delete;
  trace_file& operator=(trace_file const&) = delete;
  ~trace_file() { *to_ << "\n]\n"; }

  void write(nlohmann::ordered_json const& event) {
    auto const line = line_of(event);
    detail::platform::lock_guard const lock{mutex_};
    *to_ << (is_empty_ ? "" : ",\n") << line;
    is_empty_ = false;
  }

 private:
  std::ostream* to_;
  bool is_empty_ = true;
  detail::platform::mutex mutex_;
};

/// Draws calls as bars: each call is a row (`tid` is its number) with a bar for the call, and below it bars for its attempts
/// and waits. `args` has the verdict's kind, the error's text and the reason. A change of a gate, a quota or a pacer is a line
/// across all rows: "quota: empty".
///
///     std::ofstream out{"trace.json"};
///     anew::trace_file file{out};
///     auto const strategy = anew::compose(anew::trace_events{file}, ...);
///
/// Models: Observer (safe from many threads)
/// Formula: none
/// Requires: a trace_file that outlives the strategy; the header nlohmann/json.hpp. Of hedges, which overlap, a viewer may
/// draw one bar over another.
/// Cost: one JSON object for each attempt, wait and call, and the clock
/// Choose it to see where the time of a few calls went. Not for a service that runs for days: json_lines.
/// Source: Trace Event Format (Google), complete and instant events
class trace_events : public detail::logs_calls {
 public:
  using role = roles::observer;

  explicit trace_events(trace_file& to) : to_{&to} {}

  void on_attempt(call_type& call, attempt_event const& event, time_point now) const {
    nlohmann::ordered_json args{{"verdict", event.succeeded()          ? "success"
                                            : event.verdict.is_retry() ? to_string(event.verdict.what().kind)
                                                                       : "final"}};
    if (!call->error.empty()) args["error"] = call->error;
    call->error.clear();
    auto const began = call->began_at(event.attempt);
    write(*call, "attempt " + std::to_string(event.attempt), began, now - began, args);
  }
  void on_retry(call_type& call, retry_event const& event, time_point now) const {
    write(*call, "wait", now, event.delay, {{"origin", to_string(event.origin)}});
  }
  void on_end(call_type& call, end_event const& event, time_point now) const {
    write(*call, call->operation != nullptr ? call->operation : "call", call->began, now - call->began,
          {{"reason", to_string(event.reason)}, {"attempts", event.attempts}});
  }

  void on_change(policy_change const& change, time_point now) const {
    to_->write({{"name", std::string{to_string(change.of)}.append(": ").append(to_string(change.of, change.to))},
                {"cat", "anew"},
                {"ph", "i"},
                {"s", "g"},
                {"ts", in_us(now.time_since_epoch())},
                {"pid", 1},
                {"tid", 0}});
  }

  [[nodiscard]] static std::string describe() { return "trace_events"; }

 private:
  static double in_us(duration d) { return static_cast<double>(d.count()) / 1e3; }
  void write(detail::logged_call const& call, std::string const& name, time_point began, duration took,
             nlohmann::ordered_json const& args) const {
    to_->write({{"name", name},
                {"cat", "anew"},
                {"ph", "X"},
                {"ts", in_us(began.time_since_epoch())},
                {"dur", in_us(took)},
                {"pid", 1},
                {"tid", call.id},
                {"args", args}});
  }

  trace_file* to_;
};

}  // namespace anew::inline ANEW_ABI

#endif
