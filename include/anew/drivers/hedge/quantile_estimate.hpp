// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_HEDGE_QUANTILE_ESTIMATE_HPP
#define ANEW_DRIVERS_HEDGE_QUANTILE_ESTIMATE_HPP

#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"

namespace anew::inline ANEW_ABI {

/// The parameters of a `quantile_estimate`. `num/den` is the quantile.
struct quantile_parameters {
  std::uint32_t num;
  std::uint32_t den;
  duration initial;       ///< what it says before the first sample
  duration lower;         ///< it says nothing below
  duration upper;         ///< nor above
  std::uint32_t samples;  ///< how long it remembers: a sample moves it by a `samples`-th of itself at most
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

  /// A sample of that length.
  void add(duration sample) const noexcept {
    auto const units = sample >= largest ? ~std::uint64_t{0} : units_of(larger_than_nothing(sample));
    auto word = word_.load();
    while (!word_.compare_exchange_weak(word, units > word ? raised(word) : lowered(word))) {
    }
  }
  /// A sample that is longer than `value()`, and may not be over.
  void add_longer() const noexcept { add(largest); }

 private:
  // So fine that the smallest step, of the smallest value, is 65 units: rounding does not move the share.
  static constexpr std::uint64_t units_in_a_nanosecond = 65'536;
  static constexpr duration largest{std::chrono::hours{24}};

  static constexpr duration larger_than_nothing(duration d) noexcept { return detail::larger(duration::zero(), d); }
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

}  // namespace anew::inline ANEW_ABI

#endif
