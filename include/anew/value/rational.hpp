// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_VALUE_RATIONAL_HPP
#define ANEW_VALUE_RATIONAL_HPP

#include <cstdint>
#include <ratio>

#include "anew/platform/compiler.hpp"
#include "anew/value/at_run_time.hpp"
#include "anew/value/duration.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {
template <class Ratio>
struct fits_in_a_rational {
  static constexpr std::intmax_t most = ~std::uint32_t{0};
  static constexpr bool value = 0 <= Ratio::num && Ratio::num <= most && Ratio::den <= most;
};
}  // namespace detail

/// A factor or a share, `num / den` in lowest terms: `rational{3, 2}` is 1.5, and `rational{6, 4}` is the same value. As a
/// template argument or at run time; `std::ratio<3, 2>{}` converts to it. Each policy says which values it takes, and
/// none takes a `den` of zero.
struct rational {
  std::uint32_t num;
  std::uint32_t den;

  constexpr explicit rational(std::uint32_t whole) noexcept : num{whole}, den{1} {}
  constexpr rational(std::uint32_t numerator, std::uint32_t denominator) noexcept : num{numerator}, den{denominator} {
    if (den == 0) return;
    auto divisor = den;
    for (auto rest = num; rest != 0;) {
      auto const next = divisor % rest;
      divisor = rest;
      rest = next;
    }
    num /= divisor;
    den /= divisor;
  }
  template <std::intmax_t Num, std::intmax_t Den>
  constexpr rational(std::ratio<Num, Den> /*value*/) noexcept : rational{1} {  // NOLINT(*-explicit-*)
    using fits = detail::fits_in_a_rational<std::ratio<Num, Den>>;
    static_assert(fits::value,
                  "anew::rational requires a numerator and a denominator between 0 and 4294967295; your std::ratio has "
                  "another. Write a smaller share as anew::rational{4, 5}, not as a negative number");
    if constexpr (fits::value) {
      num = static_cast<std::uint32_t>(std::ratio<Num, Den>::num);
      den = static_cast<std::uint32_t>(std::ratio<Num, Den>::den);
    }
  }

  friend constexpr bool operator==(rational, rational) = default;
};

template <>
inline constexpr rational at_run_time<rational> = rational{0, 0};

namespace detail {

/// value * factor, to the nanosecond below; saturates. Requires value >= 0, factor.den > 0.
constexpr duration times(duration value, rational factor) noexcept {
  auto const product = static_cast<uint128>(value.count()) * factor.num / factor.den;
  return duration{static_cast<std::int64_t>(detail::smaller(product, static_cast<uint128>(duration::max().count())))};
}

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
