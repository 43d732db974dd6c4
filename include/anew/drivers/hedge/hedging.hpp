// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_HEDGE_HEDGING_HPP
#define ANEW_DRIVERS_HEDGE_HEDGING_HPP

#include <cstdint>
#include <string>
#include <type_traits>

#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
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

/// The largest number for which a machine must have places.
template <std::int64_t MaxExtra>
inline constexpr std::int64_t most_extra_of = MaxExtra == run_time_count ? most_extra_attempts : MaxExtra;

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

/// Sends another attempt `Delay` after the last one was sent, up to `MaxExtra` in addition to the first.
///
/// `hedge_after<10ms>` and `hedge_after<10ms, 2, when_pushed_back::stop>` are empty types; `hedge_after{delay, n}` and
/// `hedge_after{delay, n, when_pushed_back::stop}` take values known at run time and throw `std::invalid_argument` where
/// the requirements fail. `MaxExtra` of 0 turns hedging off; a delay of zero sends all of them at once.
///
/// Models: Hedging      Cost: none
/// Formula: attempt k+1 is sent Delay after attempt k, while none is answered
/// Requires: Delay >= 0, 0 <= MaxExtra <= 7
/// Choose it if the server's latency is known and stable: a delay of its 95th percentile doubles one call in twenty.
/// Not if it may change: when the server becomes slower than the delay, every call is sent twice for as long as it is
/// slow. Use hedge_at_quantile then, and in any case a quota.
/// Source: J. Dean, L. A. Barroso, "The Tail at Scale", CACM 56(2), 2013: hedged requests; gRPC proposal A6: hedgingDelay.
template <static_duration Delay, std::int64_t MaxExtra = 1, when_pushed_back Then = when_pushed_back::wait>
class hedge_after {
  static constexpr bool is_static = Delay != run_time && MaxExtra != run_time_count;

 public:
  static constexpr std::int64_t most_extra = detail::most_extra_of<MaxExtra>;

  constexpr hedge_after() noexcept = default;

  constexpr explicit hedge_after(detail::any_duration delay, detail::any_count max_extra = 1,
                                 when_pushed_back then = when_pushed_back::wait)
    requires(!is_static)
      : delay_{detail::checked(delay, fault_of(delay, max_extra, then))}, max_extra_{max_extra.get()}, then_{then} {}
  static constexpr detail::value_fault fault_of(duration delay, detail::any_count max_extra,
                                                when_pushed_back /*then*/) {
    return detail::value_fault{"hedge_after"}
        .not_negative(delay, "delay")
        .within(max_extra, 0, detail::most_extra_attempts, "max_extra");
  }

  [[nodiscard]] constexpr duration delay() const noexcept { return delay_.get(); }
  [[nodiscard]] constexpr std::uint32_t max_extra() const noexcept { return max_extra_.get(); }
  [[nodiscard]] constexpr when_pushed_back pushback() const noexcept { return then_.get(); }

  [[nodiscard]] std::string describe() const {
    bool const stops = pushback() == when_pushed_back::stop;
    return detail::written("hedge_after", delay(), detail::text_if(max_extra() != 1 || stops, max_extra()),
                           stops ? "stop" : "");
  }

  static constexpr detail::kept_rules is_sound{is_static, fault_of(Delay.value(), MaxExtra, Then)};
  static consteval void explain() {
    static_assert(
        detail::keeps_rule<hedge_after, 1>,
        "anew::hedge_after<Delay> requires Delay >= 0; Delay is negative. Did you mean anew::hedge_at_once<>?");
    static_assert(detail::keeps_rule<hedge_after, 2>,
                  "anew::hedge_after<Delay, MaxExtra> requires 0 <= MaxExtra <= 7; it counts the attempts in "
                  "addition to the first. Use 1: that is nearly always enough");
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Delay, hedge_after> delay_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<MaxExtra, hedge_after, 1> max_extra_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Then, hedge_after, 2, is_static> then_;
};

hedge_after(detail::any_duration) -> hedge_after<run_time, run_time_count>;
hedge_after(detail::any_duration, detail::any_count, when_pushed_back = when_pushed_back::wait)
    -> hedge_after<run_time, run_time_count>;

/// Sends all attempts at once and takes the first answer: twice the load, for a server that has room for it.
template <std::int64_t MaxExtra = 1>
using hedge_at_once = hedge_after<duration::zero(), MaxExtra>;

}  // namespace anew::inline ANEW_ABI

#endif
