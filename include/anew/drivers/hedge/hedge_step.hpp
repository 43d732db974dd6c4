// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_HEDGE_HEDGE_STEP_HPP
#define ANEW_DRIVERS_HEDGE_HEDGE_STEP_HPP

#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// The instruction for the single timer of a hedged call.
enum class hedge_timer : std::uint8_t {
  keep,    ///< it stays as it is, running or not
  set,     ///< it fires after `hedge_step::after`, and no more at the time that was set before
  cancel,  ///< it does not fire
};

/// The next step of a hedged call's driver: start an attempt, set the timer, or return a result.
struct hedge_step {
  std::uint32_t start = 0;                ///< the number of an attempt to start now; 0: none
  bool finished = false;                  ///< the call is over: cancel the attempts that are still in flight
  std::uint32_t result_of = 0;            ///< finished: the attempt whose result is the call's; 0: none was made
  hedge_timer timer = hedge_timer::keep;  ///< what becomes of the timer
  duration after{};                       ///< set: when `on_time()` is to be called, from now; zero: at once

  friend constexpr bool operator==(hedge_step const&, hedge_step const&) = default;
};

}  // namespace anew::inline ANEW_ABI

#endif
