// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_HEDGE_HEDGING_HPP
#define ANEW_DRIVERS_HEDGE_HEDGING_HPP

#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// The effect of a server's delay (pushback) on the hedges of a call. It does not change the retries after all attempts
/// have failed: the strategy's hint policy decides those. A negative delay ends both if that policy obeys refusals
/// (`pushback_hint`).
enum class when_pushed_back : std::uint8_t {
  wait,  ///< the next hedge is sent after that delay, as the hint policy reads it
  stop,  ///< the call sends no further hedge
};

namespace detail {

/// The most extra attempts that one call may have in flight: a machine has a fixed number of places, and allocates
/// none.
inline constexpr std::int64_t most_extra_attempts = 7;

/// A hedging that learns from what it sees.
template <class H>
concept Learns = requires(H const& h, duration took) {
  h.on_answer(took);
  h.on_late();
};

}  // namespace detail

/// When a call whose attempt is not answered yet sends another one in parallel.
///
/// | expression, `h` const  | returns            | meaning                                                             |
/// |------------------------|--------------------|---------------------------------------------------------------------|
/// | `h.delay()`            | `duration`         | how long after the last attempt the next one is sent                |
/// | `h.max_extra()`        | `std::uint32_t`    | how many attempts beside the first may be under way                 |
/// | `h.pushback()`         | `when_pushed_back` | what a delay that the server asked for does                         |
/// | `H::most_extra`        | integral constant  | the largest value of `max_extra()`, at most 7                       |
///
/// A hedging may have both of these optional functions; they are called for an attempt that was sent alone:
///
/// | expression, `h` const  | called                                                                                  |
/// |------------------------|-----------------------------------------------------------------------------------------|
/// | `h.on_answer(took)`    | it succeeded, after so long, before another was due                                     |
/// | `h.on_late()`          | it is not answered, and `delay()` is over                                               |
///
/// Laws: none of these functions throws or blocks; safe from many threads.
/// Models: hedge_after, hedge_at_quantile.
template <class H>
concept Hedging = requires(H const& h) {
  { h.delay() } -> detail::Exactly<duration>;
  { h.max_extra() } -> detail::Exactly<std::uint32_t>;
  { h.pushback() } -> detail::Exactly<when_pushed_back>;
  requires H::most_extra >= 0 && H::most_extra <= detail::most_extra_attempts;
};

/// The instruction for the single timer of a hedged call.
enum class hedge_timer : std::uint8_t {
  keep,    ///< leave the timer as it is
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
