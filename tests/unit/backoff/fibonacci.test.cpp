// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/backoff/fibonacci.hpp"
#include "anew/concept/backoff.hpp"

#include "rejection.hpp"

namespace backoff_fibonacci_test {
namespace {

using namespace std::chrono_literals;
using anew::duration;
using anew::fibonacci_backoff;

static_assert(!std::is_default_constructible_v<fibonacci_backoff<1s, anew::run_time>>);
static_assert(fibonacci_backoff<1ns, 1ns>::is_sound && !fibonacci_backoff<0ns, 1ns>::is_sound);
static_assert(anew::Backoff<fibonacci_backoff<1s, 2s>> && std::is_empty_v<fibonacci_backoff<1s, 1s>>);
static_assert(!std::is_default_constructible_v<decltype(fibonacci_backoff{1s, 2s})>);

TEST(FibonacciBackoff, IsTheSumOfTheTwoBefore) {
  fibonacci_backoff<100ms, 10s> const b;
  std::uint32_t retry = 0;
  for (int const times : {1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89}) EXPECT_EQ(b.delay(++retry), times * 100ms) << retry;
  for (std::uint32_t const beyond : {12U, 13U, 94U, 1000U, ~0U}) EXPECT_EQ(b.delay(beyond), 10s);
  EXPECT_EQ(b.delay(0), 100ms);
  EXPECT_EQ(b.cap(), 10s);
  EXPECT_EQ(b.describe(), "fibonacci(100ms,10s)");
}

TEST(FibonacciBackoff, ValuesOfTheTypeAndOfTheObjectAgree) {
  fibonacci_backoff<7ms, 90s> const fixed;
  fibonacci_backoff const chosen{7ms, 90s};
  for (std::uint32_t retry = 0; retry < 30; ++retry) EXPECT_EQ(fixed.delay(retry), chosen.delay(retry));
  EXPECT_EQ(chosen.cap(), 90s);
  EXPECT_EQ(chosen.describe(), "fibonacci(7ms,90s)");
}

TEST(FibonacciBackoff, GoesUpToTheLastNumberThatFits) {
  fibonacci_backoff const b{1ns, duration::max()};
  EXPECT_EQ(b.delay(90), duration{2'880'067'194'370'816'120});
  EXPECT_EQ(b.delay(92), duration{7'540'113'804'746'346'429});
  EXPECT_EQ(b.delay(93), duration::max());
  EXPECT_EQ(b.delay(~0U), duration::max());
  fibonacci_backoff const exact{1ns, 55ns};
  EXPECT_EQ(exact.delay(10), 55ns);
  EXPECT_EQ(exact.delay(11), 55ns);
  fibonacci_backoff const below{1ns, 54ns};
  EXPECT_EQ(below.delay(9), 34ns);
  EXPECT_EQ(below.delay(10), 54ns);
  fibonacci_backoff const longest{duration::max(), duration::max()};
  EXPECT_EQ(longest.delay(2), duration::max());
  EXPECT_EQ(longest.delay(3), duration::max());
}

TEST(FibonacciBackoff, IsAConstantExpression) {
  static_assert(fibonacci_backoff<100ms, 10s>{}.delay(6) == 800ms);
  static_assert(fibonacci_backoff{1s, 20s}.delay(~0U) == 20s);  // few steps, however far
}

TEST(FibonacciBackoff, RefusesValuesThatDoNotFit) {
  EXPECT_REJECTED((fibonacci_backoff{0s, 1s}), "anew::fibonacci_backoff: base must be above zero, but is 0s");
  EXPECT_REJECTED((fibonacci_backoff{-1ns, 1s}), "anew::fibonacci_backoff: base must be above zero, but is -1ns");
  EXPECT_REJECTED((fibonacci_backoff{2s, 1s}),
                  "anew::fibonacci_backoff: cap must not be below base, but is 1s (base 2s)");
  EXPECT_REJECTED((fibonacci_backoff{1s, std::chrono::duration<double>{std::numeric_limits<double>::quiet_NaN()}}),
                  "anew::fibonacci_backoff: cap must not be below base, but is -9223372036854775808ns (base 1s)");
  EXPECT_EQ((fibonacci_backoff{1ns, 1ns}.delay(5)), 1ns);
}

}  // namespace
}  // namespace backoff_fibonacci_test
