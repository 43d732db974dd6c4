// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_RATIONAL_HPP
#define ANEW_BASE_RATIONAL_HPP

#include <concepts>
#include <cstdint>
#include <limits>
#include <ratio>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/run_time.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {
constexpr std::uint32_t common_divisor(std::uint32_t a, std::uint32_t b) noexcept {
  return b == 0 ? a : common_divisor(b, a % b);
}
template <class Ratio>
inline constexpr bool fits_in_a_rational = Ratio::num == (Ratio::num & 0xffffffff) && Ratio::den <= 0xffffffff;
}  // namespace detail

/// A factor or a share, `num / den` in lowest terms: `rational{3, 2}` is 1.5, and `rational{6, 4}` is the same value.
/// As a template argument or at run time; `1.5` and `std::ratio<3, 2>{}` convert to it. Each policy documents the values
/// that it takes; no policy takes a `den` of zero.
///
/// A floating-point number is taken for the shortest decimal within its precision, so 0.1 is 1/10. It is rounded beyond nine
/// decimals, and earlier where its digits, without the point, exceed 4294967295: 5.123456789 keeps eight. A negative number, one above 4294967295 and NaN become a `den` of zero, which every policy refuses.
struct rational {
  std::uint32_t num;
  std::uint32_t den;

  constexpr explicit rational(std::uint32_t whole) noexcept : num{whole}, den{1} {}
  constexpr rational(std::uint32_t numerator, std::uint32_t denominator) noexcept : num{numerator}, den{denominator} {
    auto const divisor = den == 0 ? 1 : detail::common_divisor(num, den);
    num /= divisor;
    den /= divisor;
  }
  template <std::floating_point F>
  constexpr rational(F number) noexcept : num{1}, den{0} {  // NOLINT(*-explicit-*): as others write a factor
    constexpr std::uint32_t most = 0xffffffff;
    if (!(number >= 0 && number <= static_cast<F>(most))) return;
    for (std::uint32_t power = 1; power <= 1'000'000'000; power *= 10) {
      auto const scaled = number * static_cast<F>(power);
      if (scaled >= static_cast<F>(most)) break;
      auto const rounded = static_cast<std::uint32_t>(scaled + F{0.5});
      *this = rational{rounded, power};
      // Not by equality: a processor may calculate with more digits than F has.
      auto const missed = scaled - static_cast<F>(rounded);
      auto const most_missed = scaled * std::numeric_limits<F>::epsilon();
      if ((missed <= most_missed && -missed <= most_missed) || power == 1'000'000'000) break;
    }
    if (den == 0) *this = rational{most, 1};
  }
  template <std::intmax_t Num, std::intmax_t Den, bool Fits = detail::fits_in_a_rational<std::ratio<Num, Den>>>
  constexpr rational(std::ratio<Num, Den> of) noexcept  // NOLINT(*-explicit-*)
      : num{Fits ? static_cast<std::uint32_t>(of.num) : 1}, den{Fits ? static_cast<std::uint32_t>(of.den) : 1} {
    static_assert(detail::fits_in_a_rational<std::ratio<Num, Den>>,
                  "anew::rational requires a numerator and a denominator between 0 and 4294967295; your std::ratio is "
                  "negative or too large. A factor below 1 has no sign: write anew::rational{4, 5} for 0.8");
  }

  friend constexpr bool operator==(rational, rational) = default;
};

template <>
inline constexpr rational at_run_time<rational> = rational{0, 0};

}  // namespace anew::inline ANEW_ABI

namespace anew::inline ANEW_ABI::detail {

/// value * factor, to the nanosecond below; saturates. Requires value >= 0, factor.den > 0.
constexpr duration times(duration value, rational factor) noexcept {
  auto const product = static_cast<uint128>(value.count()) * factor.num / factor.den;
  return duration{static_cast<std::int64_t>(detail::smaller(product, static_cast<uint128>(duration::max().count())))};
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
