// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DETAIL_SCALE_HPP
#define ANEW_DETAIL_SCALE_HPP

#include <cstdint>

#include "anew/duration.hpp"

namespace anew::detail {

/// A positive number as mantissa * 2^exponent with the mantissa's top bit set: 64 bits of precision on every
/// platform, where `double` would lose a nanosecond beyond 104 days and `pow` is no constant expression.
struct scaled {
  std::uint64_t mantissa;
  std::int64_t exponent;
};

/// numerator / denominator, both above zero.
constexpr scaled make_scaled(std::uint64_t numerator, std::uint64_t denominator) noexcept {
  auto const shift = static_cast<unsigned>(__builtin_clzll(numerator)) + 64U;
  auto quotient = (static_cast<uint128>(numerator) << shift) / denominator;
  auto exponent = -static_cast<std::int64_t>(shift);
  while ((quotient >> 64U) != 0) {
    quotient = (quotient >> 1U) + (quotient & 1U);
    ++exponent;
  }
  return {static_cast<std::uint64_t>(quotient), exponent};
}

constexpr scaled multiply(scaled a, scaled b) noexcept {
  auto product = static_cast<uint128>(a.mantissa) * b.mantissa;
  auto exponent = a.exponent + b.exponent + 64;
  if ((product >> 127U) == 0) {
    product <<= 1U;
    --exponent;
  }
  auto mantissa = static_cast<std::uint64_t>(product >> 64U);
  bool const round_up = ((product >> 63U) & 1U) != 0;
  if (round_up && mantissa != ~std::uint64_t{0}) ++mantissa;
  return {mantissa, exponent};
}

/// min(cap, base * (numerator/denominator)^power), rounded to the nearest nanosecond. Total: it never overflows.
/// Requires base >= 0, cap >= 0, numerator >= denominator > 0. Cost: two multiplications per bit of `power`.
constexpr duration scale_by_power(duration base, duration cap, std::uint64_t numerator, std::uint64_t denominator,
                                  std::uint32_t power) noexcept {
  if (base >= cap) return cap;
  if (base == duration::zero() || power == 0 || numerator == denominator) return base;
  if (denominator == 1 && numerator == 2) {
    if (power >= 63 || base.count() > (cap.count() >> power)) return cap;
    return duration{base.count() << power};
  }
  auto result = make_scaled(static_cast<std::uint64_t>(base.count()), 1);
  auto square = make_scaled(numerator, denominator);
  for (;;) {
    if ((power & 1U) != 0) result = multiply(result, square);
    if (result.exponent >= 0) return cap;  // at least 2^63 ns
    power >>= 1U;
    if (power == 0) break;
    square = multiply(square, square);
    if (square.exponent > 0) return cap;  // the rest of the power is at least 1, and this factor alone is beyond 2^64
  }
  auto const shift = static_cast<unsigned>(-result.exponent);
  auto value = result.mantissa >> shift;
  if (((result.mantissa >> (shift - 1U)) & 1U) != 0) ++value;
  if (value >= static_cast<std::uint64_t>(cap.count())) return cap;
  return duration{static_cast<std::int64_t>(value)};
}

}  // namespace anew::detail

#endif
