// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_ADMISSION_HPP
#define ANEW_DRIVERS_INTERNAL_ADMISSION_HPP

#include <type_traits>

#include "anew/base/call_refused.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/intrinsics.hpp"
#include "anew/base/refused_result.hpp"
#include "anew/drivers/internal/before_attempt.hpp"
#include "anew/drivers/internal/decide.hpp"
#include "anew/roles/sleeper.hpp"

/// The way from a decision to the attempt: the sleep, the gate and the pacer.
namespace anew::inline ANEW_ABI::detail {

/// `sleep` gets the stop token too, if it takes one and the call has one.
template <class Sleep, class Stop>
constexpr decltype(auto) start_sleep(Sleep& sleep, duration delay, [[maybe_unused]] Stop const& stop) {
  if constexpr (!std::is_same_v<Stop, never_stop> && requires { sleep(delay, stop); }) {
    return sleep(delay, stop);
  } else {
    return sleep(delay);
  }
}

template <class Sleep, class Stop>
void pause(Sleep& sleep, duration delay, Stop const& stop) {
  if (test_mode_word().load() != 0) [[unlikely]]
    delay = duration::zero();
  detail::start_sleep(sleep, delay, stop);
}

/// The result of a call that made no attempt.
template <class R>
ANEW_COLD R refused(stop_reason reason) {
  if constexpr (MakesRefusedResult<R>) {
    return refused_result<R>::make(reason);
  } else {
#if ANEW_EXCEPTIONS
    throw call_refused{reason};
#else
    detail::trap();  // explained at compile time
#endif
  }
}
template <class R, class S, class Report>
ANEW_COLD R refuse(S const& strategy, Report& report, stop_reason reason) {
  detail::end(strategy, report, reason, 0);
  if constexpr (Report::is_wanted && !MakesRefusedResult<R>) report.operation_threw = true;
  return detail::refused<R>(reason);
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
