// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_PLATFORM_INTERNAL_MOMENT_HPP
#define ANEW_BASE_PLATFORM_INTERNAL_MOMENT_HPP

#include <chrono>
#include <cstdint>

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::detail::platform {

/// A point in time of the steady clock.
using moment = std::chrono::time_point<std::chrono::steady_clock, std::chrono::nanoseconds>;

/// False where the clock is the user's. A function that needs two things of the system asks this first, to explain one.
#if defined(ANEW_PLATFORM_NONE)
inline constexpr bool has_clock = false;
#else
inline constexpr bool has_clock = true;
#endif

/// The longest sleep that is asked for at a time. A longer one is slept in parts: systems count in 32-bit seconds, or in
/// milliseconds that end after 49 days.
inline constexpr std::int64_t longest_part = 86'400'000'000'000;

}  // namespace anew::inline ANEW_ABI::detail::platform

#endif
