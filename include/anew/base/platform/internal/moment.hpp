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

#if defined(ANEW_PLATFORM_NONE)

namespace anew::inline ANEW_ABI::detail::platform {

template <class>
inline constexpr bool there_is_a_system = false;

// Templates, whose message appears where a program needs one of them, and nowhere else.

template <class Needed = void>
moment now() noexcept {
  static_assert(
      there_is_a_system<Needed>,
      "anew requires a clock on a platform without an operating system (ANEW_PLATFORM_NONE); your strategy has "
      "no clock. Compose a policy with the role anew::roles::clock, whose now() reads your timer");
  return {};
}

template <class Needed = void>
void sleep_until(moment /*end*/) noexcept {
  static_assert(
      there_is_a_system<Needed>,
      "anew requires a sleeper on a platform without an operating system (ANEW_PLATFORM_NONE); your call has "
      "no sleeper. Pass one to anew::retry() after the operation, or drive the call with anew::retry_machine");
}

template <class Needed = void>
bool entropy(std::uint64_t& /*word*/) noexcept {
  static_assert(
      there_is_a_system<Needed>,
      "anew requires random numbers on a platform without an operating system (ANEW_PLATFORM_NONE); your "
      "strategy has no source. Compose a policy with the role anew::roles::random_source, or anew::no_jitter");
  return false;
}

inline void yield() noexcept {}
inline void at_fork(void (* /*handler*/)()) noexcept {}

}  // namespace anew::inline ANEW_ABI::detail::platform

#endif

#endif
