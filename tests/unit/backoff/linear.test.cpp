// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/backoff/linear.hpp"
#include "anew/concept/backoff.hpp"

#include "rejection.hpp"

namespace backoff_linear_test {
namespace {

using namespace std::chrono_literals;
using anew::duration;
using anew::linear_backoff;
using seconds_double = std::chrono::duration<double>;

static_assert(!std::is_constructible_v<anew::linear_backoff<1s, 10s, anew::run_time>, duration, duration, duration>);
static_assert(anew::Backoff<linear_backoff<1s, 2s>> && std::is_empty_v<linear_backoff<1s, 1s, 1s>>);
static_assert(!std::is_default_constructible_v<decltype(linear_backoff{1s, 2s})>);

TEST(LinearBackoff, GrowsByItsBaseUpToTheCap) {
  linear_backoff<100ms, 450ms> const b;
  EXPECT_EQ(b.delay(1), 100ms);
  EXPECT_EQ(b.delay(2), 200ms);
  EXPECT_EQ(b.delay(4), 400ms);
  for (std::uint32_t retry : {5U, 6U, 1000U, ~0U}) EXPECT_EQ(b.delay(retry), 450ms);
  EXPECT_EQ(b.cap(), 450ms);
  EXPECT_EQ(b.describe(), "linear(100ms,450ms)");
}

TEST(LinearBackoff, GrowsByAStepOfItsOwn) {
  linear_backoff<100ms, 1s, 300ms> const b;
  EXPECT_EQ(b.delay(1), 100ms);
  EXPECT_EQ(b.delay(2), 400ms);
  EXPECT_EQ(b.delay(4), 1s);
  EXPECT_EQ(b.delay(5), 1s);
  EXPECT_EQ(b.describe(), "linear(100ms,1s,300ms)");
  linear_backoff<0ns, 1s, 300ms> const from_nothing;
  EXPECT_EQ(from_nothing.delay(1), 0ns);
  EXPECT_EQ(from_nothing.delay(2), 300ms);
}

TEST(LinearBackoff, ValuesOfTheTypeAndOfTheObjectAgree) {
  linear_backoff<7ms, 90ms> const fixed;
  linear_backoff const chosen{7ms, 90ms};
  linear_backoff<7ms, 90ms, 11ms> const fixed_step;
  linear_backoff const chosen_step{7ms, 90ms, 11ms};
  for (std::uint32_t retry = 0; retry < 30; ++retry) {
    EXPECT_EQ(fixed.delay(retry), chosen.delay(retry));
    EXPECT_EQ(fixed_step.delay(retry), chosen_step.delay(retry));
  }
  EXPECT_EQ(chosen.cap(), 90ms);
  EXPECT_EQ(fixed.delay(0), 7ms);
  EXPECT_EQ(chosen.describe(), "linear(7ms,90ms)");
  EXPECT_EQ(chosen_step.describe(), "linear(7ms,90ms,11ms)");
}

TEST(LinearBackoff, ReachesTheCapWithoutOverflow) {
  linear_backoff const longest{1ns, duration::max()};
  EXPECT_EQ(longest.delay(~0U), duration{4'294'967'295});
  linear_backoff const steep{duration::max() / 2, duration::max()};
  EXPECT_EQ(steep.delay(2), duration::max() - 1ns);
  EXPECT_EQ(steep.delay(3), duration::max());
  EXPECT_EQ(steep.delay(~0U), duration::max());
  // The last step that fits, and the first that does not.
  linear_backoff const exact{1ns, 10ns, 3ns};
  EXPECT_EQ(exact.delay(4), 10ns);
  EXPECT_EQ(exact.delay(3), 7ns);
  linear_backoff const uneven{1ns, 11ns, 3ns};
  EXPECT_EQ(uneven.delay(4), 10ns);
  EXPECT_EQ(uneven.delay(5), 11ns);
  linear_backoff const beyond{1ns, 9ns, 3ns};
  EXPECT_EQ(beyond.delay(3), 7ns);
  EXPECT_EQ(beyond.delay(4), 9ns);
}

TEST(LinearBackoff, IsAConstantExpression) {
  static_assert(linear_backoff<100ms, 10s>{}.delay(3) == 300ms);
  static_assert(linear_backoff{1s, 20s, 2s}.delay(3) == 5s);
}

TEST(LinearBackoff, TakesAnyDuration) {
  linear_backoff const b{seconds_double{0.25}, std::chrono::hours::max(), 1s};
  EXPECT_EQ(b.delay(2), 1'250ms);
  EXPECT_EQ(b.cap(), duration::max());
}

TEST(LinearBackoff, RefusesValuesThatDoNotFit) {
  EXPECT_REJECTED((linear_backoff{-1ns, 1s}), "anew::linear_backoff: base must not be negative, but is -1ns");
  EXPECT_REJECTED((linear_backoff{2s, 1s}), "anew::linear_backoff: cap must not be below base, but is 1s (base 2s)");
  EXPECT_REJECTED((linear_backoff{1s, 2s, 0s}), "anew::linear_backoff: step must be above zero, but is 0s");
  EXPECT_REJECTED((linear_backoff{1s, 2s, -5ms}), "anew::linear_backoff: step must be above zero, but is -5ms");
  EXPECT_REJECTED((linear_backoff{0s, 2s}), "anew::linear_backoff: step must be above zero, but is 0s");
  EXPECT_REJECTED((linear_backoff{seconds_double{std::numeric_limits<double>::quiet_NaN()}, 1s}),
                  "anew::linear_backoff: base must not be negative, but is -9223372036854775808ns");
  EXPECT_EQ((linear_backoff{0s, 2s, 1ns}.delay(1)), 0ns);
  EXPECT_EQ((linear_backoff{2s, 2s, 1s}.delay(9)), 2s);
}

}  // namespace
}  // namespace backoff_linear_test
