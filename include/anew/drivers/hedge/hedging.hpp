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

}  // namespace anew::inline ANEW_ABI

#endif
