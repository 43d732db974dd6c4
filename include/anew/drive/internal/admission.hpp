// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVE_INTERNAL_ADMISSION_HPP
#define ANEW_DRIVE_INTERNAL_ADMISSION_HPP

#include <type_traits>

#include "anew/concept/sleeper.hpp"
#include "anew/drive/internal/before_attempt.hpp"
#include "anew/drive/internal/decide.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/call_refused.hpp"
#include "anew/value/refused_result.hpp"

/// The way from a decision to the attempt: the sleep, the gate and the pacer.
namespace anew::inline ANEW_ABI::detail {

template <class Sleep, class Stop>
void pause(Sleep& sleep, duration delay, Stop const& stop) {
  if (test_mode_word().load() != 0) [[unlikely]]
    delay = duration::zero();
  if constexpr (!std::is_same_v<Stop, never_stop> && requires { sleep(delay, stop); }) {
    sleep(delay, stop);
  } else {
    sleep(delay);
  }
}

template <class S, class Sleep, class Stop>
ANEW_OUT_OF_LINE stop_reason wait_for_admission(S const& strategy, typename S::token_type& token, Sleep& sleep,
                                                Stop const& stop, earliest asked, duration wait) {
  for (;;) {
    detail::pause(sleep, wait, stop);
    if (stop.stop_requested()) return stop_reason::cancelled;
    auto const answer = asked.ask(strategy, token);
    if (answer.refusal != stop_reason::succeeded || answer.wait <= duration::zero()) return answer.refusal;
    wait = answer.wait;
  }
}

/// Waits until the strategy lets the attempt begin. Returns `succeeded`, or the reason of a refusal.
template <class S, class Sleep, class Stop>
ANEW_INLINE stop_reason await_admission(S const& strategy, typename S::token_type& token, Sleep& sleep,
                                        Stop const& stop) {
  earliest asked;
  auto const [wait, refusal] = asked.ask(strategy, token);
  if (refusal != stop_reason::succeeded || wait <= duration::zero()) return refusal;
  return detail::wait_for_admission(strategy, token, sleep, stop, asked, wait);
}

/// Ends a call that made no attempt.
template <class R, class S, class Report>
ANEW_COLD R refuse(S const& strategy, Report& report, stop_reason reason) {
  detail::end(strategy, report, reason, 0);
  if constexpr (MakesRefusedResult<R>) {
    return refused_result<R>::make(reason);
  } else {
#if ANEW_EXCEPTIONS
    if constexpr (Report::is_wanted) report.operation_threw = true;
    throw call_refused{reason};
#else
    __builtin_trap();  // explained at compile time
#endif
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
