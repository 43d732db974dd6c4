// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_JSON_TRACE_EVENTS_HPP
#define ANEW_TEXT_JSON_TRACE_EVENTS_HPP

#include <ostream>
#include <string>

#include <nlohmann/json.hpp>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/mutex.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/policies/observer/internal/logged_call.hpp"
#include "anew/roles/hint.hpp"
#include "anew/roles/observer.hpp"
#include "anew/roles/roles.hpp"
#include "anew/text/json/json_lines.hpp"

namespace anew::inline ANEW_ABI {

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
/// and waits. `args` has the verdict's kind, the error's text and the reason.
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
/// Source: Trace Event Format (Google), complete events
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

  [[nodiscard]] static std::string describe() { return "trace_events"; }

 private:
  void write(detail::logged_call const& call, std::string const& name, time_point began, duration took,
             nlohmann::ordered_json const& args) const {
    auto const in_us = [](duration d) { return static_cast<double>(d.count()) / 1e3; };
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
