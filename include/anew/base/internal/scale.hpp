// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_INTERNAL_SCALE_HPP
#define ANEW_BASE_INTERNAL_SCALE_HPP

#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/intrinsics.hpp"

namespace anew::inline ANEW_ABI::detail {

/// A positive number as mantissa * 2^exponent with the mantissa's top bit set: 128 bits, so that the error of all steps
/// of a power is less than 2^-31 ns of a delay of 292 years. `double` would lose a nanosecond beyond 104 days.
struct scaled {
  uint128 mantissa;
  std::int64_t exponent;
};

/// numerator / denominator, both above zero; the lower bits are cut off.
constexpr scaled make_scaled(std::uint64_t numerator, std::uint64_t denominator) noexcept {
  auto const shift = detail::leading_zeros(numerator) + 64U;
  auto const dividend = static_cast<uint128>(numerator) << shift;
  auto const high = dividend / denominator;  // at least 2^63
  auto const low = ((dividend % denominator) << 64U) / denominator;
  auto const top = static_cast<std::uint64_t>(high >> 64U);
  auto const room =
      top != 0 ? detail::leading_zeros(top) : 64U + detail::leading_zeros(static_cast<std::uint64_t>(high));
  auto const mantissa = room == 0 ? high : (high << room) | (low >> (64U - room));
  return {mantissa, -static_cast<std::int64_t>(shift + room)};
}

/// The upper 128 bits of the product; the lower bits are cut off.
constexpr scaled multiply(scaled a, scaled b) noexcept {
  constexpr uint128 word = ~std::uint64_t{0};
  auto const a_low_b = (a.mantissa & word) * (b.mantissa >> 64U);
  auto const a_high_b = (a.mantissa >> 64U) * (b.mantissa & word);
  auto const middle = (((a.mantissa & word) * (b.mantissa & word)) >> 64U) + (a_low_b & word) + (a_high_b & word);
  auto product = (a.mantissa >> 64U) * (b.mantissa >> 64U) + (a_low_b >> 64U) + (a_high_b >> 64U) + (middle >> 64U);
  auto exponent = a.exponent + b.exponent + 128;
  if ((product >> 127U) == 0) {
    product = (product << 1U) | ((middle >> 63U) & 1U);
    --exponent;
  }
  return {product, exponent};
}

/// min(cap, base * 2^power). Requires base >= 0, cap >= 0. Cost: a shift.
constexpr duration double_up_to(duration base, duration cap, std::uint32_t power) noexcept {
  return power < 63 && base.count() <= (cap.count() >> power) ? duration{base.count() << power} : cap;
}

/// min(cap, base * (numerator/denominator)^power), rounded to the nearest nanosecond, half of one up; so is what is less
/// than half by `power * 2^-61` ns. Total: it never overflows. Requires base >= 0, cap >= 0, numerator >= denominator > 0.
/// Cost: two multiplications of 128 bits per bit of `power`; a shift for a factor of 2.
constexpr duration scale_by_power(duration base, duration cap, std::uint64_t numerator, std::uint64_t denominator,
                                  std::uint32_t power) noexcept {
  if (base >= cap) return cap;
  if (base == duration::zero() || power == 0 || numerator == denominator) return base;
  if (denominator == 1 && numerator == 2) return double_up_to(base, cap, power);
  auto const cut_off = 2 * static_cast<uint128>(power) + 2;  // at most, in all steps, of half the mantissa
  auto result = make_scaled(static_cast<std::uint64_t>(base.count()), 1);
  auto square = make_scaled(numerator, denominator);
  for (;;) {
    if ((power & 1U) != 0) result = multiply(result, square);
    if (result.exponent >= -64) return cap;  // at least 2^63 ns
    power >>= 1U;
    if (power == 0) break;
    square = multiply(square, square);
    if (square.exponent > -64) return cap;  // the rest of the power is at least 1, and this factor alone is 2^64
  }
  auto const shift = static_cast<unsigned>(-result.exponent);  // 65 to 127, because the result is at least 1 ns
  auto const half = (uint128{1} << (shift - 2U)) + cut_off;
  auto const value = static_cast<std::uint64_t>(((result.mantissa >> 1U) + half) >> (shift - 1U));
  if (value >= static_cast<std::uint64_t>(cap.count())) return cap;
  return duration{static_cast<std::int64_t>(value)};
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
