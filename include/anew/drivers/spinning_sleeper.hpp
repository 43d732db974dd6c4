// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_SPINNING_SLEEPER_HPP
#define ANEW_DRIVERS_SPINNING_SLEEPER_HPP

#include <chrono>

#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/intrinsics.hpp"
#include "anew/base/platform/system.hpp"
#include "anew/drivers/blocking_sleeper.hpp"
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

  void operator()(duration delay, StopToken auto const& stop) const noexcept {
    auto const end = detail::saturating_add(detail::platform::now(), delay);
    while (detail::platform::now() < end && !stop.stop_requested()) detail::relax();
  }
};

/// Sleeps until shortly before the end and spins the rest: as exact as spinning, at the price of the last moment.
///
/// `hybrid_sleeper{spin}` spins for the last `spin` of a delay; 100 us is what a kernel may be late by. It throws
/// `std::invalid_argument` for a negative one, which would make every sleep longer than the delay.
///
/// Models: Sleeper      Cost: a system call and a core for `spin`
/// Choose it for delays from ten microseconds to a few milliseconds that must be exact.
class hybrid_sleeper {
 public:
  constexpr hybrid_sleeper() noexcept = default;
  constexpr explicit hybrid_sleeper(duration spin) : spin_{spin} {
    detail::require(spin >= duration::zero(), "hybrid_sleeper", "spin must not be negative", spin);
  }

  /// The part of a delay that the thread sleeps, rather than spins.
  [[nodiscard]] constexpr duration slept_of(duration delay) const noexcept {
    return delay > spin_ ? detail::saturating_subtract(delay, spin_) : duration::zero();
  }

  template <class = void>  // compiled where it is used
  void operator()(duration delay) const {
    (*this)(delay, never_stop{});
  }

  /// Any stop token ends the spin; the sleep before it is woken by a `std::stop_token` only.
  void operator()(duration delay, StopToken auto const& stop) const {
    auto const end = detail::saturating_add(detail::platform::now(), delay);
    if constexpr (requires(blocking_sleeper sleep) { sleep(delay, stop); }) {
      blocking_sleeper{}(slept_of(delay), stop);
    } else {
      blocking_sleeper{}(slept_of(delay));
    }
    spinning_sleeper{}(detail::saturating_subtract(end, detail::platform::now()), stop);
  }

 private:
  duration spin_ = std::chrono::microseconds{100};
};

}  // namespace anew::inline ANEW_ABI

#endif
