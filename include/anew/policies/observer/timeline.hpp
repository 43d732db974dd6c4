// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_OBSERVER_TIMELINE_HPP
#define ANEW_POLICIES_OBSERVER_TIMELINE_HPP

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/policy_change.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/policies/observer/internal/logged_call.hpp"
#include "anew/policies/observer/severity.hpp"
#include "anew/roles/hint.hpp"
#include "anew/roles/observer.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// A duration as people write it: "3.4 ms", "37 ms", "1.06 s", "7m 30s", "2.0 h".
[[nodiscard]] inline std::string in_words(duration d) {
  double const ms = static_cast<double>(d.count()) / 1e6;
  auto const formatted = [](char const* format, double value) {
    char text[32];
    std::snprintf(text, sizeof text, format, value);
    return std::string{text};
  };
  if (ms < 9.95) return formatted("%.1f ms", ms);
  if (ms < 999.5) return formatted("%.0f ms", ms);
  if (ms < 120e3) return formatted("%.2f s", ms / 1e3);
  if (ms >= 3600e3) return formatted("%.1f h", ms / 3600e3);
  auto const seconds = static_cast<std::int64_t>(ms / 1e3);
  return std::to_string(seconds / 60).append("m ").append(std::to_string(seconds % 60)).append("s");
}

/// The text of a verdict: "success", "final", "not classified", "transient, safe to repeat".
[[nodiscard]] inline std::string in_words(directive const& verdict) {
  if (verdict.is_success()) return "success";
  if (verdict.is_unclassified()) return "not classified";
  if (verdict.is_failure()) return "final";
  std::string text{to_string(verdict.what().kind)};
  if (verdict.what().hint.is_not_understood()) text.append(", asks for a delay that is not understood");
  switch (verdict.what().safety) {
    case retry_safety::yes: return text.append(", safe to repeat");
    case retry_safety::maybe: return text.append(", may have run");
    case retry_safety::no: return text.append(", not to repeat");
  }
  return text;
}

/// "184 ms (backoff)".
[[nodiscard]] inline std::string in_words(planned_delay const& wait) {
  return in_words(wait.delay).append(" (").append(to_string(wait.origin)).append(")");
}

/// Why a call ended: "gave up: all 3 attempts failed".
[[nodiscard]] inline std::string in_words(end_event const& event) {
  auto const count = std::to_string(event.attempts);
  switch (event.reason) {
    case stop_reason::succeeded:
      return event.attempts == 1 ? "succeeded at once"
                                 : std::string{"succeeded after "}.append(count).append(" attempts");
    case stop_reason::not_retryable: return "failed: another attempt cannot help";
    case stop_reason::unclassified: return "failed: the classifier does not read this exception";
    case stop_reason::not_idempotent:
      return "not repeated: it may have taken effect, and the operation is not idempotent";
    case stop_reason::not_replayable: return "not repeated: the operation cannot run again";
    case stop_reason::attempts:
      return event.attempts == 1 ? "gave up: the only permitted attempt failed"
                                 : std::string{"gave up: all "}.append(count).append(" attempts failed");
    case stop_reason::nested: return "not repeated: the enclosing call does that";
    case stop_reason::quota: return "gave up: the quota that all retries share is spent";
    case stop_reason::deadline: return "gave up: the next attempt would be too late for the deadline";
    case stop_reason::hint_too_long: return "gave up: the server asks for a longer wait than is permitted";
    case stop_reason::rate_limited: return "gave up: no room at the pace that the service permits";
    case stop_reason::gate_closed: return "gave up: the gate refused the attempt";
    case stop_reason::cancelled: return "interrupted";
  }
  return "ended";
}

/// Describes calls, one line for each attempt and one for the end, for a terminal or a log:
///
///     report #7 get_user: attempt 1: transient, safe to repeat: Connection refused; waits 184 ms (backoff)
///     report #7 get_user: attempt 2: success
///     report #7 get_user: succeeded after 2 attempts, in 190 ms
///     report gate: closed -> open
///     report quota: granting -> empty
///
/// `timeline{sink, "report"}` calls `sink(std::string_view)`, or `sink(severity, std::string_view)` where it takes
/// that, once for each line, without a line break. The label is optional; so is the name of the operation (`named()`). The
/// number tells the calls of the process apart.
///
/// Models: Observer (safe from many threads if the sink is)
/// Formula: none
/// Requires: a sink that is callable as const
/// Cost: one text for each line, and the clock; a retried failure is reported before the sleep
/// Choose it to see what a strategy does. Not for machines: json_lines.
/// Source: none
template <class Sink>
class timeline : public detail::logs_calls {
 public:
  using role = roles::observer;

  explicit timeline(Sink sink, std::string label = {}) : sink_{std::move(sink)}, label_{std::move(label)} {}

  void on_attempt(call_type& call, attempt_event const& event, time_point now) const {
    end_attempt(*call, event, now, writes_attempts(*call));
  }
  void on_retry(call_type& call, retry_event const& event) const {
    planned_delay const wait{event.delay, event.origin};
    if (close_attempt(*call, wait, writes_attempts(*call))) return;
    write(
        *call, severity_of(event),
        std::string{"attempt "}.append(std::to_string(event.attempt)).append(": a hedge, in ").append(in_words(wait)));
  }
  void on_end(call_type& call, end_event const& event, time_point now) const {
    close_attempt(*call, std::nullopt, writes_attempts(*call));
    write(*call, severity_of(event), in_words(event).append(", in ").append(in_words(now - call->began)));
  }

  void on_change(policy_change const& change) const {
    detail::write_line(sink_, severity_of(change),
                       std::string{label_}
                           .append(label_.empty() ? "" : " ")
                           .append(to_string(change.of))
                           .append(": ")
                           .append(to_string(change.of, change.from))
                           .append(" -> ")
                           .append(to_string(change.of, change.to)));
  }

  [[nodiscard]] static std::string describe() { return "timeline"; }

  static constexpr bool is_sound = detail::sink_takes_lines<Sink>;
  static consteval void explain() { detail::explain_sink<Sink>(); }

 private:
  [[nodiscard]] auto writes_attempts(detail::logged_call const& call) const {
    return [this, &call](detail::logged_attempt const& ended, std::optional<planned_delay> const& wait) {
      auto words = std::string{"attempt "}.append(std::to_string(ended.event.attempt)).append(": ");
      words.append(in_words(ended.event.verdict));
      if (!ended.error.empty()) words.append(": ").append(ended.error);
      if (wait) words.append("; waits ").append(in_words(*wait));
      write(call, severity_of(ended.event), words);
    };
  }
  void write(detail::logged_call const& call, severity how_loud, std::string const& words) const {
    std::string line{label_};
    line.append(label_.empty() ? "#" : " #").append(std::to_string(call.id));
    if (call.operation != nullptr) line.append(" ").append(call.operation);
    detail::write_line(sink_, how_loud, line.append(": ").append(words));
  }

  ANEW_NO_UNIQUE_ADDRESS Sink sink_;
  std::string label_;
};

}  // namespace anew::inline ANEW_ABI

#endif
