// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_OBSERVER_SEVERITY_HPP
#define ANEW_POLICIES_OBSERVER_SEVERITY_HPP

#include <cstdint>

#include "anew/base/breaker_state.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/policy_change.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/roles/observer.hpp"

namespace anew::inline ANEW_ABI {

/// The log level of an event.
///
/// | event                                        | severity |
/// |----------------------------------------------|----------|
/// | a call or an attempt that succeeds at once   | debug    |
/// | a failure that another attempt follows       | info     |
/// | a success after such failures                | info     |
/// | a call that was cancelled                    | info     |
/// | a failure that stays one, and its call's end | error    |
/// | a gate that opens, a quota that is empty     | error    |
/// | any other change of a gate, a quota, a pacer | info     |
///
/// A retried failure is not a warning: it needs no action while the end of the call is open, and a log that shows the
/// failure must show the success after it, at the same level. At every threshold the log of a call is complete to its
/// end, and an outage shows one error per call rather than one per attempt.
enum class severity : std::uint8_t { debug, info, error };

[[nodiscard]] constexpr char const* to_string(severity s) noexcept {
  return detail::name_in({"debug", "info", "error"}, s);
}

/// How much an event matters in a log: `error` for a final failure, a call that failed and a gate that opens; `info` for a
/// failed attempt that is followed by another, a success after a retry and a cancelled call; `debug` for a success at once.
[[nodiscard]] constexpr severity severity_of(attempt_event const& event) noexcept {
  if (event.succeeded()) return event.attempt > 1 ? severity::info : severity::debug;
  return event.is_final ? severity::error : severity::info;
}

[[nodiscard]] constexpr severity severity_of(retry_event const& /*event*/) noexcept { return severity::info; }

[[nodiscard]] constexpr severity severity_of(end_event const& event) noexcept {
  if (event.reason == stop_reason::succeeded) return event.attempts > 1 ? severity::info : severity::debug;
  return event.reason == stop_reason::cancelled ? severity::info : severity::error;
}

[[nodiscard]] constexpr severity severity_of(policy_change const& change) noexcept {
  return change.to == breaker_state::open && change.of != changed::pacer ? severity::error : severity::info;
}

}  // namespace anew::inline ANEW_ABI

#endif
