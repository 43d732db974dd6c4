// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_SPINNING_SLEEPER_HPP
#define ANEW_DRIVERS_SPINNING_SLEEPER_HPP

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/intrinsics.hpp"
#include "anew/base/platform/system.hpp"
#include "anew/roles/sleeper.hpp"

namespace anew::inline ANEW_ABI {

/// Burns the core until the delay is over: never late by more than a clock reading. Any stop token ends it.
///
/// Models: Sleeper (empty)      Cost: a whole core, for the delay
/// Choose it for delays of a few microseconds on a core that is yours. Not for more: hybrid_sleeper.
struct spinning_sleeper {
  template <class = void>  // compiled where it is used
  void operator()(duration delay) const noexcept {
    (*this)(delay, never_stop{});
  }

  template <StopToken Stop>
  void operator()(duration delay, Stop const& stop) const noexcept {
    auto const end = detail::saturating_add(detail::platform::now(), delay);
    while (detail::platform::now() < end && !stop.stop_requested()) detail::relax();
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
