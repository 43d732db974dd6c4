// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_JITTER_PROPORTIONAL_HPP
#define ANEW_JITTER_PROPORTIONAL_HPP

#include <cstdint>
#include <string>
#include <type_traits>

#include "anew/concept/internal/catalogue.hpp"
#include "anew/concept/jitter.hpp"
#include "anew/concept/roles.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/platform/internal/invalid_argument.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/random_source.hpp"
#include "anew/value/random_up_to.hpp"

namespace anew::inline ANEW_ABI {

/// A share known at run time: `fraction{1, 2}` is a half.
struct fraction {
  std::uint32_t num;
  std::uint32_t den = 1;
};

namespace detail {

template <class Fraction>
struct fraction_is_between_zero_and_one {
  static constexpr bool value = 0 <= Fraction::num && Fraction::num <= Fraction::den;
};
template <>
struct fraction_is_between_zero_and_one<fraction> {
  static constexpr bool value = true;
};

template <class Fraction>
struct stored_fraction {
  static constexpr std::uint64_t num() noexcept { return static_cast<std::uint64_t>(Fraction::num); }
  static constexpr std::uint64_t den() noexcept { return static_cast<std::uint64_t>(Fraction::den); }
};
template <>
struct stored_fraction<fraction> {
  fraction value;
  [[nodiscard]] constexpr std::uint64_t num() const noexcept { return value.num; }
  [[nodiscard]] constexpr std::uint64_t den() const noexcept { return value.den; }
};

}  // namespace detail

/// Waits the delay plus or minus a fraction of it, uniformly.
///
/// `proportional_jitter<std::ratio<1, 2>>` is an empty type; `proportional_jitter{fraction{1, 2}}` takes a value known at
/// run time and throws `std::invalid_argument` where the requirement fails. Where the delay and its fraction would pass
/// the cap, the whole window moves down below it: at the cap c it is [c - 2fc, c], as wide as anywhere. The published
/// forms either pass the cap there or clamp to it, which puts half of the delays exactly on it.
///
/// Models: Jitter (its state is empty)      Cost: one random number, two multiplications, one division
/// Formula: U(max(0, h - 2fd), h), where d is the delay, f the fraction and h = min(cap, d + fd)
/// Requires: 0 <= Fraction <= 1
/// Choose it where the mean must stay what the backoff says, or a peer's documentation gives a percentage. Not for the
/// least load on the server: callers stay together in a band; full_jitter.
/// Source: cenkalti/backoff `RandomizationFactor`, gRPC "Connection Backoff Protocol" (0.2), Polly `UseJitter` (1/4).
template <class Fraction>
class proportional_jitter {
 public:
  using role = roles::jitter;

  /// Nothing to remember; said, because a jitter with a state is told of the cap.
  struct state_type {};

  constexpr proportional_jitter() noexcept
    requires(!std::is_same_v<Fraction, fraction>)
  = default;

  constexpr explicit proportional_jitter(fraction of)
    requires std::is_same_v<Fraction, fraction>
      : fraction_{of} {
    if (of.den == 0 || of.num > of.den) {
      detail::invalid_argument("proportional_jitter", "fraction must be between 0 and 1",
                               std::to_string(of.num).append("/").append(std::to_string(of.den)));
    }
  }

  template <RandomSource R>
  [[nodiscard]] constexpr duration apply(delay_bounds const& bounds, state_type& /*state*/, R& random) const {
    auto const delay = detail::smaller(bounds.ceiling, bounds.cap);
    auto const share = static_cast<detail::uint128>(delay.count()) * fraction_.num() / fraction_.den();
    auto const half = duration{static_cast<std::int64_t>(share)};
    auto const high = half > bounds.cap - delay ? bounds.cap : delay + half;
    auto const low = detail::larger(high - half - half, duration::zero());  // half <= delay <= high
    return low + random_up_to(high - low, random);
  }

  [[nodiscard]] std::string describe() const {
    std::string text{"proportional_jitter("};
    text.append(std::to_string(fraction_.num()));
    if (fraction_.den() != 1) text.append("/").append(std::to_string(fraction_.den()));
    return text.append(")");
  }

  static constexpr bool is_sound = detail::fraction_is_between_zero_and_one<Fraction>::value;
  template <class Self>
  static consteval void explain() {
    static_assert(detail::fraction_is_between_zero_and_one<Fraction>::value,
                  "anew::proportional_jitter<Fraction> requires 0 <= Fraction <= 1; this one is outside. "
                  "Write it as std::ratio<1, 5> for plus or minus 20 percent");
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::stored_fraction<Fraction> fraction_;
};

proportional_jitter(fraction) -> proportional_jitter<fraction>;

}  // namespace anew::inline ANEW_ABI

#endif
