// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_PLATFORM_INTERNAL_LINUX_HPP
#define ANEW_BASE_PLATFORM_INTERNAL_LINUX_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/moment.hpp"
#include "anew/base/platform/internal/posix.hpp"

#if defined(ANEW_PLATFORM_LINUX)

namespace anew::inline ANEW_ABI::detail::platform {

/// To an end on CLOCK_MONOTONIC, which `std::chrono::steady_clock` reads too: neither a wall-clock change nor a signal
/// moves it. Not noexcept: a thread that is cancelled in here unwinds.
inline void sleep_until(moment end) {
  auto const time = platform::timespec_of(end.time_since_epoch().count());
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) == EINTR ||
         (sizeof(::time_t) < sizeof(std::int64_t) && platform::now() < end)) {
  }
}

}  // namespace anew::inline ANEW_ABI::detail::platform

#endif
#endif
