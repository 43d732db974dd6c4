// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_BLOCKING_SLEEPER_HPP
#define ANEW_DRIVERS_BLOCKING_SLEEPER_HPP

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/system.hpp"
#include "anew/drivers/internal/stop.hpp"
#include "anew/roles/sleeper.hpp"

namespace anew::inline ANEW_ABI {

/// Blocks the calling thread, by the monotonic clock; a signal does not shorten it. A `std::stop_token` wakes it at once.
///
/// Models: Sleeper (empty)      Cost: a system call; none for a delay of zero
/// Choose it for a thread that may block: `retry()` uses it unless told otherwise. Not inside an event loop. For delays
/// of microseconds: spinning_sleeper, hybrid_sleeper.
struct blocking_sleeper {
  template <class = void>  // compiled where it is used: a platform without a system explains what is missing
  void operator()(duration delay) const {  // not noexcept: a thread that is cancelled in here unwinds
    if (delay <= duration::zero()) return;
    detail::platform::moment end{};
    if constexpr (detail::platform::has_clock) end = detail::saturating_add(detail::platform::now(), delay);
    detail::platform::sleep_until(end);
  }

#if defined(__cpp_lib_jthread) && !defined(ANEW_PLATFORM_NONE)
  void operator()(duration delay, std::stop_token const& stop) const {
    if (delay <= duration::zero()) return;
    if (!stop.stop_possible()) return (*this)(delay);
    auto const end = detail::saturating_add(detail::platform::now(), delay);
    detail::platform::wakeable_sleep sleep;
    std::stop_callback const callback{stop, [&sleep]() noexcept { sleep.wake(); }};
    sleep.sleep_until(end);
  }
#endif
};

}  // namespace anew::inline ANEW_ABI

#endif
