// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_HEDGE_HEDGE_AT_QUANTILE_HPP
#define ANEW_DRIVERS_HEDGE_HEDGE_AT_QUANTILE_HPP

#include <chrono>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/drivers/hedge/hedge_after.hpp"
#include "anew/drivers/hedge/hedging.hpp"
#include "anew/drivers/hedge/quantile_estimate.hpp"

namespace anew::inline ANEW_ABI {

/// The first delay of a `hedge_at_quantile`, its bounds, and how many samples it remembers.
struct quantile_bounds {
  static_duration initial = std::chrono::milliseconds{100};
  static_duration lower = std::chrono::milliseconds{1};
  static_duration upper = std::chrono::seconds{10};
  std::int64_t samples = 64;
  friend constexpr bool operator==(quantile_bounds, quantile_bounds) = default;
};

namespace detail {

template <std::int64_t Num, std::int64_t Den>
struct quantile_is_between_0_and_1 {
  static constexpr bool value = Num == run_time_count || (0 < Num && Num < Den && Den <= 1000);
};

template <quantile_bounds Bounds>
struct bounds_are_in_order {
  static constexpr bool value =
      Bounds.lower.nanoseconds >= 1000 && Bounds.lower.nanoseconds <= Bounds.initial.nanoseconds &&
      Bounds.initial.nanoseconds <= Bounds.upper.nanoseconds && Bounds.upper.nanoseconds <= 86'400'000'000'000 &&
      Bounds.samples >= 1 && Bounds.samples <= 1000;
};

}  // namespace detail

/// Sends another attempt when the last one has taken longer than `Num/Den` of all attempts do, as learned from the
/// calls: 95/100 sends 5 % more attempts, whatever the server's latency is or becomes.
///
/// `hedge_at_quantile<95, 100>`; `hedge_at_quantile<99, 100, 1, quantile_bounds{.initial = 20ms}>`;
/// `hedge_at_quantile{quantile_parameters{95, 100, 20ms, 1ms, 10s, 64}, n}` takes values known at run time and throws
/// `std::invalid_argument` if a requirement fails. It stores what it has learned: keep the object next to the strategy,
/// one for each destination and kind of call. It can be moved while it is not in use, but not copied.
/// Only attempts that were sent alone are samples, and early errors are not: they say nothing about the time that an
/// answer takes. A call whose estimate rises while it waits waits longer, so that calls that were in flight when the
/// server slowed down do not all count the same change.
///
/// Models: Hedging (lock-free, 48 bytes)
/// Formula: q <- q*(1 + p/samples) for a longer attempt, q*(1 - (1-p)/samples) for a shorter one; attempt k+1 after q
/// Requires: 0 < Num < Den <= 1000, 0 <= MaxExtra <= 7, 1us <= lower <= initial <= upper <= 24h, 1 <= samples <= 1000
/// Cost: the clock is read twice a call; a compare-exchange a call
/// Choose it if latency changes by day and load: it holds the share of extra attempts constant. Not alone if the server
/// may fail: a change of ten times costs some 150 hedges, and an error starts the next attempt at once; also compose a
/// quota that counts calls (retry_budget).
/// Source: as quantile_estimate; the delay as a quantile: "The Tail at Scale", CACM 56(2), 2013.
template <std::int64_t Num, std::int64_t Den, std::int64_t MaxExtra = 1, quantile_bounds Bounds = quantile_bounds{},
          when_pushed_back Then = when_pushed_back::wait>
class hedge_at_quantile {
  static constexpr bool is_static = Num != run_time_count;

 public:
  static constexpr std::int64_t most_extra = detail::most_extra_of<MaxExtra>;

  constexpr hedge_at_quantile() noexcept
    requires is_static
      : estimate_{{static_cast<std::uint32_t>(Num), static_cast<std::uint32_t>(Den), Bounds.initial.value(),
                   Bounds.lower.value(), Bounds.upper.value(), static_cast<std::uint32_t>(Bounds.samples)}} {}

  constexpr explicit hedge_at_quantile(quantile_parameters const& parameters, detail::any_count max_extra = 1,
                                       when_pushed_back then = when_pushed_back::wait)
    requires(!is_static)
      : estimate_{detail::checked(parameters, fault_of(parameters, max_extra, then))},
        num_{parameters.num},
        den_{parameters.den},
        max_extra_{max_extra.get()},
        then_{then} {}
  static constexpr detail::value_fault fault_of(quantile_parameters const& p, detail::any_count max_extra,
                                                when_pushed_back /*then*/) {
    return detail::value_fault{"hedge_at_quantile"}
        .unless(p.num != 0 && p.num < p.den && p.den <= 1000,
                "the quantile must be above 0 and below 1, of at most 1000 parts", p.num, "/", p.den)
        .unless(p.lower >= std::chrono::microseconds{1}, "lower must be at least 1us", p.lower)
        .unless(p.initial >= p.lower && p.initial <= p.upper, "initial must be between lower and upper", p.initial)
        .unless(p.upper <= std::chrono::hours{24}, "upper must be at most 24h", p.upper)
        .unless(p.samples >= 1 && p.samples <= 1000, "samples must be between 1 and 1000", p.samples)
        .within(max_extra, 0, detail::most_extra_attempts, "max_extra");
  }

  [[nodiscard]] duration delay() const noexcept { return estimate_.value(); }
  [[nodiscard]] constexpr std::uint32_t max_extra() const noexcept { return max_extra_.get(); }
  [[nodiscard]] constexpr when_pushed_back pushback() const noexcept { return then_.get(); }

  void on_answer(duration took) const noexcept { estimate_.add(took); }
  void on_late() const noexcept { estimate_.add_longer(); }

  [[nodiscard]] std::string describe() const {
    constexpr quantile_bounds usual{};
    bool const stops = pushback() == when_pushed_back::stop;
    auto const named = [](char const* key, auto const& value, auto const& usual_value) {
      return value == usual_value ? std::string{} : std::string{key}.append(detail::to_text(value));
    };
    return detail::written("hedge_at_quantile", std::to_string(num_.get()) + "/" + std::to_string(den_.get()),
                           detail::text_if(max_extra() != 1 || stops, max_extra()),
                           named("lower=", estimate_.lower(), usual.lower.value()),
                           named("upper=", estimate_.upper(), usual.upper.value()),
                           named("samples=", std::int64_t{estimate_.samples()}, usual.samples), stops ? "stop" : "");
  }

  static constexpr bool is_sound = detail::quantile_is_between_0_and_1<Num, Den>::value &&
                                   detail::extra_attempts_are_0_to_7<MaxExtra>::value &&
                                   detail::bounds_are_in_order<Bounds>::value;
  template <class Self>
  static consteval void explain() {
    if constexpr (!detail::quantile_is_between_0_and_1<Num, Den>::value) {
      static_assert(detail::quantile_is_between_0_and_1<Num, Den>::value,
                    "anew::hedge_at_quantile<Num, Den> requires 0 < Num < Den <= 1000; Num / Den is the share of "
                    "attempts that are not hedged. Write hedge_at_quantile<95, 100> to send about 5 % more attempts");
    } else if constexpr (!detail::extra_attempts_are_0_to_7<MaxExtra>::value) {
      static_assert(detail::extra_attempts_are_0_to_7<MaxExtra>::value,
                    "anew::hedge_at_quantile<Num, Den, MaxExtra> requires 0 <= MaxExtra <= 7; it counts the attempts "
                    "in addition to the first. Use 1: that is nearly always enough");
    } else {
      static_assert(detail::bounds_are_in_order<Bounds>::value,
                    "anew::hedge_at_quantile<Num, Den, MaxExtra, Bounds> requires 1us <= lower <= initial <= upper <= "
                    "24h and 1 <= samples <= 1000");
    }
  }

 private:
  quantile_estimate estimate_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Num, hedge_at_quantile> num_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Den, hedge_at_quantile, 1> den_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<MaxExtra, hedge_at_quantile, 2> max_extra_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Then, hedge_at_quantile, 3, is_static> then_;
};

template <std::same_as<quantile_parameters> Parameters>
hedge_at_quantile(Parameters) -> hedge_at_quantile<run_time_count, run_time_count, run_time_count>;
template <std::same_as<quantile_parameters> Parameters>
hedge_at_quantile(Parameters, detail::any_count, when_pushed_back = when_pushed_back::wait)
    -> hedge_at_quantile<run_time_count, run_time_count, run_time_count>;

}  // namespace anew::inline ANEW_ABI

#endif
