// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_PLATFORM_INTERNAL_WIDE_WORD_HPP
#define ANEW_BASE_PLATFORM_INTERNAL_WIDE_WORD_HPP

#include <compare>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::detail {

/// An unsigned integer of 128 bits, for compilers that have none: equal to the compiler's to the bit.
///
/// Cost: a product some 3 ns, a quotient up to 1 us; both happen in constructors and after a failure.
class wide_word {
 public:
  constexpr wide_word() noexcept = default;
  /// A negative number is extended by its sign, as it is for the compiler's type.
  template <std::integral I>
  constexpr wide_word(I value) noexcept  // NOLINT(*-explicit-*)
      : high_{value < I{} ? ~std::uint64_t{0} : 0}, low_{static_cast<std::uint64_t>(value)} {}
  template <class I>
    requires std::is_integral_v<I>
  constexpr explicit operator I() const noexcept {
    return static_cast<I>(std::is_same_v<I, bool> ? high_ | low_ : low_);
  }
  /// Rounded once: the bits beyond the upper 64 can only say that a half is more than one.
  constexpr explicit operator double() const noexcept {
    if (high_ == 0) return static_cast<double>(low_);
    auto shifted = *this;
    auto scale = 0x1p64;
    for (; (shifted.high_ >> 63U) == 0; shifted <<= 1U) scale /= 2;
    return static_cast<double>(shifted.high_ | (shifted.low_ != 0 ? 1U : 0U)) * scale;
  }

  friend constexpr bool operator==(wide_word, wide_word) noexcept = default;
  friend constexpr std::strong_ordering operator<=>(wide_word a, wide_word b) noexcept {
    return a.high_ != b.high_ ? a.high_ <=> b.high_ : a.low_ <=> b.low_;
  }

  friend constexpr wide_word operator~(wide_word a) noexcept { return {~a.high_, ~a.low_}; }
  friend constexpr wide_word operator&(wide_word a, wide_word b) noexcept {
    return {a.high_ & b.high_, a.low_ & b.low_};
  }
  friend constexpr wide_word operator|(wide_word a, wide_word b) noexcept {
    return {a.high_ | b.high_, a.low_ | b.low_};
  }
  /// By less than 128, as for the compiler's type.
  friend constexpr wide_word operator<<(wide_word a, unsigned by) noexcept {
    if (by == 0) return a;
    if (by >= 64) return {a.low_ << (by - 64), 0};
    return {(a.high_ << by) | (a.low_ >> (64 - by)), a.low_ << by};
  }
  friend constexpr wide_word operator>>(wide_word a, unsigned by) noexcept {
    if (by == 0) return a;
    if (by >= 64) return {0, a.high_ >> (by - 64)};
    return {a.high_ >> by, (a.high_ << (64 - by)) | (a.low_ >> by)};
  }

  friend constexpr wide_word operator+(wide_word a, wide_word b) noexcept {
    auto const low = a.low_ + b.low_;
    return {a.high_ + b.high_ + (low < a.low_ ? 1 : 0), low};
  }
  friend constexpr wide_word operator-(wide_word a, wide_word b) noexcept {
    return {a.high_ - b.high_ - (a.low_ < b.low_ ? 1 : 0), a.low_ - b.low_};
  }
  friend constexpr wide_word operator*(wide_word a, wide_word b) noexcept {
    auto product = of_words(a.low_, b.low_);
    product.high_ += a.high_ * b.low_ + a.low_ * b.high_;
    return product;
  }
  /// By a number that is not zero.
  friend constexpr wide_word operator/(wide_word a, wide_word b) noexcept {
    divide(a, b);
    return a;
  }
  friend constexpr wide_word operator%(wide_word a, wide_word b) noexcept { return divide(a, b); }

  constexpr wide_word& operator-=(wide_word b) noexcept { return *this = *this - b; }
  constexpr wide_word& operator|=(wide_word b) noexcept { return *this = *this | b; }
  constexpr wide_word& operator<<=(unsigned by) noexcept { return *this = *this << by; }

 private:
  constexpr wide_word(std::uint64_t high, std::uint64_t low) noexcept : high_{high}, low_{low} {}

  /// Four products of 32 bits each.
  static constexpr wide_word of_words(std::uint64_t a, std::uint64_t b) noexcept {
    constexpr std::uint64_t half = 0xffff'ffff;
    auto const low = (a & half) * (b & half);
    auto const middle = (a >> 32U) * (b & half) + (low >> 32U);
    auto const other = (a & half) * (b >> 32U) + (middle & half);
    return {(a >> 32U) * (b >> 32U) + (middle >> 32U) + (other >> 32U), (other << 32U) | (low & half)};
  }

  /// Leaves the quotient in `a` and returns the remainder. Long division, bit by bit.
  static constexpr wide_word divide(wide_word& a, wide_word b) noexcept {
    if (a.high_ == 0 && b.high_ == 0) {
      auto const rest = a.low_ % b.low_;
      a.low_ /= b.low_;
      return rest;
    }
    wide_word quotient{};
    wide_word rest{};
    for (unsigned bit = 128; bit-- != 0;) {
      bool const is_out = (rest.high_ >> 63U) != 0;  // the bit that the shift loses
      rest = (rest << 1U) | ((a >> bit) & wide_word{1});
      quotient <<= 1U;
      if (!is_out && rest < b) continue;
      rest -= b;
      quotient |= wide_word{1};
    }
    a = quotient;
    return rest;
  }

  std::uint64_t high_ = 0;
  std::uint64_t low_ = 0;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
