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
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/drivers/hedge/hedging.hpp"

namespace anew::inline ANEW_ABI {

/// The parameters of a `quantile_estimate`. `num/den` is the quantile.
struct quantile_parameters {
  std::uint32_t num;
  std::uint32_t den;
  duration initial;       ///< the estimate before the first sample
  duration lower;         ///< the smallest estimate
  duration upper;         ///< the largest estimate
  std::uint32_t samples;  ///< a sample moves the estimate by at most 1/`samples` of itself
};

/// A quantile of durations as they come, in one word: each sample above the estimate raises it by the share `p/samples`
/// of itself, each sample below lowers it by `(1-p)/samples`. It needs only the side of the estimate on which a sample
/// lies: an attempt that is still running after the estimate counts at that moment.
///
/// The share of samples above it goes to 1-p whatever the distribution, which is what a hedging wants: 5 % of the calls,
/// not a duration that is right to the microsecond. In the long run that share is off by a `2*samples`-th of itself.
/// Before the first sample it says `initial`. From there it takes `ln(x)*samples/p` samples to rise x-fold (155 for
/// tenfold at p = 95/100 and 64 samples), and `ln(x)*samples/(1-p)` to fall x-fold (2,950): start low where a few
/// hundred hedges too many do no harm, high where they do.
///
/// Cost: 8 bytes of state beside the parameters, lock-free; a compare-exchange a sample; no floating point. Safe from
/// many threads, and no sample is lost. The caller sees to `0 < num < den <= 1000`, `1 <= samples <= 1000`,
/// `1us <= lower <= initial <= upper <= 24h`.
/// Source: A. Yazidi, H. Hammer, "Multiplicative Update Methods for Incremental Quantile Estimation", IEEE Transactions
/// on Cybernetics 49(3), 2019 (online 2017): DUMIQE, the deterministic one, with lambda = 1/samples.
class quantile_estimate {
 public:
  constexpr explicit quantile_estimate(quantile_parameters const& p) noexcept
      : lower_{units_of(p.lower)},
        upper_{units_of(p.upper)},
        rise_{p.num},
        fall_{p.den - p.num},
        parts_{p.den * p.samples},
        word_{units_of(p.initial)} {}

  [[nodiscard]] duration value() const noexcept { return duration_of(word_.load()); }

  [[nodiscard]] constexpr duration lower() const noexcept { return duration_of(lower_); }
  [[nodiscard]] constexpr duration upper() const noexcept { return duration_of(upper_); }
  [[nodiscard]] constexpr std::uint32_t samples() const noexcept { return parts_ / (rise_ + fall_); }

  /// A sample of that length; `duration::max()` for one that is longer than `value()`, and may not be over.
  void add(duration sample) const noexcept {
    auto const units = sample >= largest ? ~std::uint64_t{0} : units_of(detail::larger(duration::zero(), sample));
    auto word = word_.load();
    while (!word_.compare_exchange_weak(word, units > word ? raised(word) : lowered(word))) {
    }
  }

 private:
  // So fine that the smallest step, of the smallest value, is 65 units: rounding does not move the share.
  static constexpr std::uint64_t units_in_a_nanosecond = 65'536;
  static constexpr duration largest{std::chrono::hours{24}};

  static constexpr std::uint64_t units_of(duration d) noexcept {
    return static_cast<std::uint64_t>(d.count()) * units_in_a_nanosecond;
  }
  static constexpr duration duration_of(std::uint64_t units) noexcept {
    return duration{static_cast<std::int64_t>(units / units_in_a_nanosecond)};
  }
  [[nodiscard]] constexpr std::uint64_t share(std::uint64_t word, std::uint32_t of) const noexcept {
    return static_cast<std::uint64_t>((detail::uint128{word} * of + parts_ / 2) / parts_);
  }
  [[nodiscard]] constexpr std::uint64_t raised(std::uint64_t word) const noexcept {
    return detail::smaller(upper_, word + share(word, rise_));
  }
  [[nodiscard]] constexpr std::uint64_t lowered(std::uint64_t word) const noexcept {
    return detail::larger(lower_, word - share(word, fall_));
  }

  std::uint64_t lower_;
  std::uint64_t upper_;
  std::uint32_t rise_;
  std::uint32_t fall_;
  std::uint32_t parts_;
  mutable detail::atomic_cell<std::uint64_t> word_;
};

/// The first delay of a `hedge_at_quantile`, its bounds, and how many samples it remembers.
struct quantile_bounds {
  static_duration initial = std::chrono::milliseconds{100};
  static_duration lower = std::chrono::milliseconds{1};
  static_duration upper = std::chrono::seconds{10};
  std::int64_t samples = 64;
  friend constexpr bool operator==(quantile_bounds, quantile_bounds) = default;
};

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
  /// A number that 32 bits do not hold breaks the rules as 0 and 1001 do.
  static constexpr std::uint32_t held(std::int64_t number) noexcept {
    return static_cast<std::uint32_t>(detail::clamped<std::int64_t>(number, 0, 1001));
  }
  static constexpr quantile_parameters known{
      held(Num), held(Den), Bounds.initial.value(), Bounds.lower.value(), Bounds.upper.value(), held(Bounds.samples)};

 public:
  static constexpr std::int64_t most_extra = detail::most_extra_of<MaxExtra>;

  constexpr hedge_at_quantile() noexcept
    requires is_static
      : estimate_{known} {}
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
        .unless(p.lower <= p.upper, "lower must be at most upper", p.lower, " and upper is ", p.upper)
        .unless(p.initial >= p.lower && p.initial <= p.upper, "initial must be between lower and upper", p.initial)
        .unless(p.upper <= std::chrono::hours{24}, "upper must be at most 24h", p.upper)
        .unless(p.samples >= 1 && p.samples <= 1000, "samples must be between 1 and 1000", p.samples)
        .within(max_extra, 0, detail::most_extra_attempts, "max_extra");
  }

  [[nodiscard]] duration delay() const noexcept { return estimate_.value(); }
  [[nodiscard]] constexpr std::uint32_t max_extra() const noexcept { return max_extra_.get(); }
  [[nodiscard]] constexpr when_pushed_back pushback() const noexcept { return then_.get(); }

  void on_answer(duration took) const noexcept { estimate_.add(took); }
  void on_late() const noexcept { estimate_.add(duration::max()); }

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

  static constexpr detail::kept_rules is_sound{is_static, fault_of(known, MaxExtra, Then)};
  static consteval void explain() {
    static_assert(detail::keeps_rule<hedge_at_quantile, 1>,
                  "anew::hedge_at_quantile<Num, Den> requires 0 < Num < Den <= 1000; Num / Den is the share of "
                  "attempts that are not hedged. Write hedge_at_quantile<95, 100> to send about 5 % more attempts");
    static_assert(detail::keeps_rule<hedge_at_quantile, 7>,
                  "anew::hedge_at_quantile<Num, Den, MaxExtra> requires 0 <= MaxExtra <= 7; it counts the attempts "
                  "in addition to the first. Use 1: that is nearly always enough");
    static_assert(detail::keeps_rule<hedge_at_quantile, 2, 3, 4, 5, 6>,
                  "anew::hedge_at_quantile<Num, Den, MaxExtra, Bounds> requires 1us <= lower <= initial <= upper <= "
                  "24h and 1 <= samples <= 1000");
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
