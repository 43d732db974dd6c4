// SPDX-License-Identifier: BSL-1.0
#include <cstdint>

#include <gtest/gtest.h>

#include "anew/base/platform/internal/wide_word.hpp"
#include "anew/base/random_source.hpp"

#include "length.hpp"

namespace platform_wide_word_test {
namespace {

using anew::detail::wide_word;

constexpr wide_word of(std::uint64_t high, std::uint64_t low) { return (wide_word{high} << 64U) | wide_word{low}; }
constexpr std::uint64_t most = ~std::uint64_t{0};

static_assert(of(most, most) + wide_word{1} == wide_word{0} && wide_word{0} - wide_word{1} == of(most, most));
static_assert(wide_word{-1} == of(most, most) && wide_word{most} * wide_word{most} == of(most - 1, 1));
static_assert(of(1, 0) / wide_word{3} == wide_word{0x5555'5555'5555'5555} && of(1, 0) % wide_word{3} == wide_word{1});
static_assert(of(most, most) / of(most, most) == wide_word{1} && of(1, 2) > of(1, 1) && of(2, 0) > of(1, most));
static_assert(static_cast<double>(of(1, 0)) == 0x1p64);
// Halfway between two doubles, and a bit above: rounded once.
static_assert(static_cast<double>(of(0x20'0000'0000'0001, 0)) == 0x20'0000'0000'0000 * 0x1p64);
static_assert(static_cast<double>(of(0x20'0000'0000'0001, 1)) == 0x20'0000'0000'0002 * 0x1p64);

#ifdef __SIZEOF_INT128__
__extension__ using native = unsigned __int128;

wide_word as_wide(native value) {
  return of(static_cast<std::uint64_t>(value >> 64U), static_cast<std::uint64_t>(value));
}

/// Half of them lie at an edge: few bits, or nearly all.
native any(anew::generator& random) {
  auto const word = [&]() -> native {
    switch (random() % 4) {
      case 0: return random() % 3;
      case 1: return most - random() % 3;
      case 2: return std::uint64_t{1} << random() % 64;
      default: return random();
    }
  };
  return (word() << 64U) | word();
}

TEST(WideWord, CalculatesAsTheCompilersTypeDoes) {
  anew::generator random{7, 1};
  for (int i = 0; i != support::length_of(100'000); ++i) {
    auto const a = any(random);
    auto const b = any(random);
    auto const by = static_cast<unsigned>(random() % 128);
    auto const x = as_wide(a);
    auto const y = as_wide(b);
    ASSERT_EQ(x + y, as_wide(a + b));
    ASSERT_EQ(x - y, as_wide(a - b));
    ASSERT_EQ(x * y, as_wide(a * b));
    ASSERT_EQ(x << by, as_wide(a << by));
    ASSERT_EQ(x >> by, as_wide(a >> by));
    ASSERT_EQ(x & y, as_wide(a & b));
    ASSERT_EQ(x | y, as_wide(a | b));
    ASSERT_EQ(~x, as_wide(~a));
    ASSERT_EQ(x < y, a < b);
    ASSERT_EQ(x == y, a == b);
    ASSERT_EQ(static_cast<std::int64_t>(x), static_cast<std::int64_t>(a));
    ASSERT_EQ(static_cast<bool>(x), static_cast<bool>(a));
    ASSERT_EQ(static_cast<double>(x), static_cast<double>(a));
    if (b == 0) continue;
    ASSERT_EQ(x / y, as_wide(a / b));
    ASSERT_EQ(x % y, as_wide(a % b));
  }
}
#endif

}  // namespace
}  // namespace platform_wide_word_test
