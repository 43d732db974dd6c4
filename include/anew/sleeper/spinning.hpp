// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_SLEEPER_SPINNING_HPP
#define ANEW_SLEEPER_SPINNING_HPP

#include <chrono>

#include "anew/concept/sleeper.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/duration.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// Tells the core that this is a spin, so that its sibling gets the execution units.
inline void relax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace detail

/// Burns the core until the delay is over: never late by more than a clock reading. Any stop token ends it.
///
/// Models: Sleeper (empty)      Cost: a whole core, for the delay
/// Choose it for delays of a few microseconds on a core that is yours. Not for more: hybrid_sleeper.
struct spinning_sleeper {
  void operator()(duration delay) const noexcept { (*this)(delay, never_stop{}); }

  template <StopToken Stop>
  void operator()(duration delay, Stop const& stop) const noexcept {
    auto const end = detail::saturating_add(now(), delay);
    while (now() < end && !stop.stop_requested()) detail::relax();
  }

 private:
  static time_point now() noexcept { return std::chrono::steady_clock::now(); }
};

}  // namespace anew::inline ANEW_ABI

#endif
