// SPDX-License-Identifier: BSL-1.0
#include <cfloat>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include "anew/backoff/exponential.hpp"
#include "anew/value/generator.hpp"

#include "rejection.hpp"

namespace backoff_exponential_test {
namespace {

using namespace std::chrono_literals;
using anew::duration;
using anew::exponential_backoff;
using anew::rational;
using seconds_double = std::chrono::duration<double>;
using anew::detail::uint128;

TEST(ExponentialBackoff, DoublesAndSaturatesAtTheCap) {
  exponential_backoff<50ms, 20s> const b;
  EXPECT_EQ(b.delay(1), 50ms);
  EXPECT_EQ(b.delay(2), 100ms);
  EXPECT_EQ(b.delay(3), 200ms);
  EXPECT_EQ(b.delay(8), 6'400ms);
  EXPECT_EQ(b.delay(9), 12'800ms);
  for (std::uint32_t retry : {10U, 11U, 31U, 32U, 33U, 63U, 64U, 65U, 1000U, ~0U}) EXPECT_EQ(b.delay(retry), 20s);
  EXPECT_EQ(b.cap(), 20s);
}

TEST(ExponentialBackoff, TheDelayBeforeNoRetryIsThatOfTheFirst) {
  EXPECT_EQ((exponential_backoff<50ms, 20s>{}.delay(0)), 50ms);
  EXPECT_EQ((exponential_backoff{3s, 60s, rational{3, 2}}.delay(0)), 3s);
}

TEST(ExponentialBackoff, DefaultsAreFiftyMillisecondsAndTwentySeconds) {
  static_assert(std::is_same_v<exponential_backoff<>, exponential_backoff<50ms, 20s, rational{2}>>);
  EXPECT_EQ(exponential_backoff<>{}.describe(), "exponential(50ms,20s)");
}

TEST(ExponentialBackoff, GrowsByHalf) {
  exponential_backoff<3s, 60s, rational{3, 2}> const b;
  EXPECT_EQ(b.delay(1), 3s);
  EXPECT_EQ(b.delay(2), 4'500ms);
  EXPECT_EQ(b.delay(3), 6'750ms);
  EXPECT_EQ(b.delay(4), 10'125ms);
  EXPECT_EQ(b.delay(8), 51'257'812'500ns);
  EXPECT_EQ(b.delay(9), 60s);
  EXPECT_EQ(b.describe(), "exponential(3s,60s,3/2)");
}

TEST(ExponentialBackoff, ValuesOfTheTypeAndOfTheObjectAgree) {
  exponential_backoff<7ms, 90s> const doubling;
  exponential_backoff const chosen{7ms, 90s};
  exponential_backoff<7ms, 90s, rational{3, 2}> const half{};
  exponential_backoff const chosen_half{7ms, 90s, rational{3, 2}};
  exponential_backoff const whole{7ms, 90s, rational{2}};
  exponential_backoff const unreduced{7ms, 90s, rational{6, 3}};
  for (std::uint32_t retry = 0; retry < 100; ++retry) {
    EXPECT_EQ(doubling.delay(retry), chosen.delay(retry));
    EXPECT_EQ(doubling.delay(retry), whole.delay(retry));
    EXPECT_EQ(doubling.delay(retry), unreduced.delay(retry));
    EXPECT_EQ(half.delay(retry), chosen_half.delay(retry));
  }
  EXPECT_EQ(chosen.cap(), 90s);
  EXPECT_EQ(chosen_half.describe(), "exponential(7ms,90s,3/2)");
  EXPECT_EQ((exponential_backoff{7ms, 90s, rational{3}}.describe()), "exponential(7ms,90s,3)");
  EXPECT_EQ(whole.describe(), "exponential(7ms,90s)");
}

TEST(ExponentialBackoff, TheShiftAndTheMultiplicationAgree) {
  for (std::int64_t base : {1LL, 3LL, 999'999'937LL, 50'000'000LL}) {
    exponential_backoff const shifted{duration{base}, duration::max()};
    exponential_backoff const multiplied{duration{base}, duration::max(), rational{4, 2}};
    for (std::uint32_t retry = 1; retry < 70; ++retry) EXPECT_EQ(shifted.delay(retry), multiplied.delay(retry));
  }
}

TEST(ExponentialBackoff, DoublesUpToTheLastPowerThatFits) {
  exponential_backoff const b{1ns, duration::max()};
  EXPECT_EQ(b.delay(63), duration{std::int64_t{1} << 62U});
  EXPECT_EQ(b.delay(64), duration::max());
  exponential_backoff const exact{3ns, 3ns * 1024};
  EXPECT_EQ(exact.delay(10), 3ns * 512);
  EXPECT_EQ(exact.delay(11), 3ns * 1024);
  exponential_backoff const below{3ns, 3ns * 1024 - 1ns};
  EXPECT_EQ(below.delay(11), 3ns * 1024 - 1ns);
}

TEST(ExponentialBackoff, AFactorOfOneStaysAtTheBase) {
  exponential_backoff<50ms, 20s, rational{1}> const b;
  for (std::uint32_t retry : {1U, 2U, 1000U, ~0U}) EXPECT_EQ(b.delay(retry), 50ms);
}

TEST(ExponentialBackoff, ABaseAtTheCapStaysThere) {
  exponential_backoff<20s, 20s> const b;
  EXPECT_EQ(b.delay(1), 20s);
  EXPECT_EQ(b.delay(~0U), 20s);
}

/// base * num^power / den^power to the nearest nanosecond, by exact integer arithmetic; zero when that has no room.
std::int64_t exact(std::int64_t base, std::uint32_t num, std::uint32_t den, std::uint32_t power) {
  uint128 numerator = static_cast<std::uint64_t>(base);
  uint128 denominator = 1;
  for (std::uint32_t i = 0; i < power; ++i) {
    if (numerator > ~uint128{0} / num / 2 || denominator > ~uint128{0} / den / 2) return 0;
    numerator *= num;
    denominator *= den;
  }
  uint128 const rounded = (numerator + denominator / 2) / denominator;
  return rounded > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max() / 1024)
             ? 0
             : static_cast<std::int64_t>(rounded);
}

TEST(ExponentialBackoff, IsRoundedToTheNearestNanosecond) {
  int compared = 0;
  for (std::int64_t base : {1LL, 7LL, 1'000LL, 50'000'000LL, 3'000'000'000LL}) {
    for (rational const f :
         {rational{3, 2}, rational{4, 3}, rational{5}, rational{10}, rational{1001, 1000}, rational{17, 10}}) {
      exponential_backoff const b{duration{base}, duration::max(), f};
      for (std::uint32_t power = 0; power < 40; ++power) {
        auto const expected = exact(base, f.num, f.den, power);
        if (expected == 0) continue;
        EXPECT_EQ(b.delay(power + 1).count(), expected) << base << " * (" << f.num << "/" << f.den << ")^" << power;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 500);
}

// 292 years in steps of a thousandth: 43,000 multiplications if they were made one by one.
TEST(ExponentialBackoff, ASlowGrowthStaysExactToTheEnd) {
  exponential_backoff const b{1s, duration::max(), rational{1001, 1000}};
  for (std::uint32_t retry : {100U, 1'000U, 10'000U, 20'000U}) {
    long double const expected = 1e9L * std::pow(1.001L, static_cast<long double>(retry - 1));
    long double const distance = static_cast<long double>(b.delay(retry).count()) - expected;
    EXPECT_LE(std::abs(distance), 0.5L + (LDBL_MANT_DIG == 64 ? 1e-14L : 1e-11L) * expected) << retry;
  }
  EXPECT_EQ(b.delay(50'000), duration::max());
}

TEST(ExponentialBackoff, IsSoundUpToTheEdgeOfWhatItRequires) {
  static_assert(exponential_backoff<1ns, 1ns, rational{1}>::is_sound);
  static_assert(!exponential_backoff<0ns, 1ns>::is_sound && !exponential_backoff<-1ns, 1ns>::is_sound);
  static_assert(!exponential_backoff<2ns, 1ns>::is_sound && exponential_backoff<2ns, 2ns>::is_sound);
  static_assert(!exponential_backoff<1s, 2s, rational{99, 100}>::is_sound);
  static_assert(!exponential_backoff<1s, 2s, rational{1, 0}>::is_sound);
  static_assert(decltype(exponential_backoff{1s, 2s, rational{2}})::is_sound);
}

// Values are of the type, all of them, or of the object.
TEST(ExponentialBackoff, IsMadeOfAllItsValuesOrOfNone) {
  using anew::run_time;
  using std::chrono::seconds;
  constexpr auto by_value = anew::at_run_time<rational>;
  static_assert(!std::is_default_constructible_v<exponential_backoff<1s, run_time>>);
  static_assert(!std::is_default_constructible_v<exponential_backoff<run_time, 1s>>);
  static_assert(!std::is_default_constructible_v<exponential_backoff<1s, 2s, by_value>>);
  static_assert(!std::is_constructible_v<exponential_backoff<1s, run_time>, seconds, seconds>);
  static_assert(!std::is_constructible_v<exponential_backoff<run_time, 1s>, seconds, seconds>);
  static_assert(!std::is_constructible_v<exponential_backoff<1s, 2s>, seconds, seconds>);
  static_assert(!std::is_constructible_v<exponential_backoff<run_time, run_time, by_value>, seconds, seconds>);
  static_assert(!std::is_constructible_v<exponential_backoff<1s, run_time, by_value>, seconds, seconds, rational>);
  static_assert(!std::is_constructible_v<exponential_backoff<run_time, 1s, by_value>, seconds, seconds, rational>);
  static_assert(!std::is_constructible_v<exponential_backoff<run_time, run_time>, seconds, seconds, rational>);
}

TEST(ExponentialBackoff, EveryFactorIsItself) {
  EXPECT_EQ((exponential_backoff{7ns, 1s, rational{1}}.delay(3)), 7ns);
  EXPECT_EQ((exponential_backoff{7ns, 1s, rational{3}}.delay(3)), 63ns);
  EXPECT_EQ((exponential_backoff{7ns, 1s, rational{4}}.delay(3)), 112ns);
  EXPECT_EQ((exponential_backoff{8ns, 1s, rational{3, 2}}.delay(3)), 18ns);
}

// The parts of the multiplication, by other arithmetic. Of the whole: tests/laws/rounding.depth.cpp.
TEST(Scaled, ARatioTimesItsDenominatorIsAlmostTheNumerator) {
  for (std::uint64_t num : {1ULL, 2ULL, 3ULL, 5ULL, 17ULL, 1001ULL, 4'294'967'295ULL, 9'223'372'036'854'775'807ULL}) {
    for (std::uint64_t den : {1ULL, 2ULL, 3ULL, 7ULL, 10ULL, 1000ULL, 4'294'967'295ULL}) {
      auto const ratio = anew::detail::make_scaled(num, den);
      ASSERT_NE(ratio.mantissa >> 127U, 0U);
      // With the upper 64 bits alone: mantissa <= num / den * 2^-exponent < mantissa + 1, where that has room.
      auto const down = -ratio.exponent - 64;
      if (down < 0 || down > 126 || (uint128{num} << down) >> down != num) continue;
      EXPECT_EQ(ratio.mantissa >> 64U, (uint128{num} << down) / den) << num << "/" << den;
    }
  }
}

TEST(Scaled, AProductOfNumbersOf64BitsIsExact) {
  std::uint64_t bits = 1;
  for (int i = 0; i < 2000; ++i) {
    auto const a = anew::detail::splitmix(bits++) | std::uint64_t{1} << 63U;
    auto const b = anew::detail::splitmix(bits++) | std::uint64_t{1} << 63U;
    auto exact_product = uint128{a} * b;
    std::int64_t exponent = 128 + 3 - 5;
    if ((exact_product >> 127U) == 0) {
      exact_product <<= 1U;
      --exponent;
    }
    auto const product = anew::detail::multiply({uint128{a} << 64U, 3}, {uint128{b} << 64U, -5});
    EXPECT_EQ(product.exponent, exponent);
    EXPECT_EQ(product.mantissa, exact_product) << a << " * " << b;
  }
}

// (2^128 - 1)^2 = 2^256 - 2^129 + 1: every carry is one.
TEST(Scaled, AProductOfAllOnesCarries) {
  auto const product = anew::detail::multiply({~uint128{0}, 0}, {~uint128{0}, 0});
  EXPECT_EQ(product.mantissa, ~uint128{0} - 1);
  EXPECT_EQ(product.exponent, 128);
}

TEST(Scaled, TheEndsOfTheRangeAreConstantExpressions) {
  using anew::detail::scale_by_power;
  constexpr duration half{std::int64_t{1} << 62U};
  static_assert(scale_by_power(0ns, 1s, 3, 2, 0) == 0ns && scale_by_power(0ns, 1s, 3, 2, 5) == 0ns);
  static_assert(scale_by_power(0ns, 0ns, 3, 2, 5) == 0ns && scale_by_power(5ns, 0ns, 3, 2, 5) == 0ns);
  static_assert(scale_by_power(half, duration::max(), 3, 1, 1) == duration::max());
  static_assert(scale_by_power(half, duration::max(), 3, 2, 1) == half / 2 * 3);
  static_assert(scale_by_power(half, duration::max(), 2, 1, 1) == duration::max());
  static_assert(scale_by_power(1ns, duration::max(), 4'294'967'295, 1, ~0U) == duration::max());
}

TEST(ExponentialBackoff, IsAConstantExpression) {
  static_assert(exponential_backoff<50ms, 20s>{}.delay(3) == 200ms);
  static_assert(exponential_backoff<3s, 60s, rational{3, 2}>{}.delay(3) == 6'750ms);
  static_assert(exponential_backoff{3s, 60s, rational{3, 2}}.delay(~0U) == 60s);
}

TEST(ExponentialBackoff, TakesAnyDuration) {
  exponential_backoff const b{seconds_double{0.25}, std::chrono::hours::max()};
  EXPECT_EQ(b.delay(2), 500ms);
  EXPECT_EQ(b.cap(), duration::max());
  EXPECT_EQ((exponential_backoff{1s, seconds_double{std::numeric_limits<double>::infinity()}}.cap()), duration::max());
}

TEST(ExponentialBackoff, RefusesABaseThatDoesNotGrow) {
  EXPECT_REJECTED((exponential_backoff{0s, 1s}), "anew::exponential_backoff: base must be above zero, but is 0s");
  EXPECT_REJECTED((exponential_backoff{-5ms, 1s}), "anew::exponential_backoff: base must be above zero, but is -5ms");
  EXPECT_REJECTED((exponential_backoff{seconds_double{std::numeric_limits<double>::quiet_NaN()}, 1s}),
                  "anew::exponential_backoff: base must be above zero, but is -9223372036854775808ns");
  EXPECT_REJECTED((exponential_backoff{0s, 1s, rational{3, 2}}),
                  "anew::exponential_backoff: base must be above zero, but is 0s");
}

TEST(ExponentialBackoff, RefusesACapBelowTheBase) {
  EXPECT_REJECTED((exponential_backoff{2s, 1s}),
                  "anew::exponential_backoff: cap must not be below base, but is 1s (base 2s)");
  EXPECT_REJECTED((exponential_backoff{2ns, 1ns}),
                  "anew::exponential_backoff: cap must not be below base, but is 1ns (base 2ns)");
  EXPECT_REJECTED((exponential_backoff{1s, seconds_double{std::numeric_limits<double>::quiet_NaN()}}),
                  "anew::exponential_backoff: cap must not be below base, but is -9223372036854775808ns (base 1s)");
}

TEST(ExponentialBackoff, RefusesAFactorThatShrinks) {
  EXPECT_REJECTED((exponential_backoff{1s, 2s, rational{2, 3}}),
                  "anew::exponential_backoff: factor must be at least 1, but is 2/3");
  EXPECT_REJECTED((exponential_backoff{1s, 2s, rational{0}}),
                  "anew::exponential_backoff: factor must be at least 1, but is 0");
  EXPECT_REJECTED((exponential_backoff{1s, 2s, rational{1, 0}}),
                  "anew::exponential_backoff: factor must be at least 1, but is 1/0");
}

}  // namespace
}  // namespace backoff_exponential_test
