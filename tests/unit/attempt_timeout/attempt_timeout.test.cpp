// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <limits>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/attempt_timeout/attempt_timeout.hpp"
#include "anew/compose/strategy.hpp"

#include "rejection.hpp"

namespace attempt_timeout_attempt_timeout_test {
namespace {

using namespace std::chrono_literals;
using anew::attempt_timeout;
using anew::duration;
using seconds_double = std::chrono::duration<double>;

static_assert(anew::AttemptTimeout<attempt_timeout<1s>> && anew::AttemptTimeout<decltype(attempt_timeout{1s})>);
static_assert(std::is_empty_v<attempt_timeout<1s>> && sizeof(decltype(attempt_timeout{1s})) == sizeof(duration));

TEST(AttemptTimeout, IsTheLimitUnlessLessRemains) {
  attempt_timeout<250ms> const limit;
  EXPECT_EQ(limit.value(), 250ms);
  EXPECT_EQ(limit.of(duration::max()), 250ms);
  EXPECT_EQ(limit.of(250ms + 1ns), 250ms);
  EXPECT_EQ(limit.of(250ms), 250ms);
  EXPECT_EQ(limit.of(250ms - 1ns), 250ms - 1ns);
  EXPECT_EQ(limit.of(0s), 0s);
}

TEST(AttemptTimeout, ValuesOfTheTypeAndOfTheObjectAgree) {
  for (duration const remaining : {duration{0}, duration{1}, duration{1s}, duration{2s}, duration::max()}) {
    EXPECT_EQ(attempt_timeout<1s>{}.of(remaining), attempt_timeout{1s}.of(remaining));
  }
  EXPECT_EQ(attempt_timeout{1s}.value(), 1s);
}

TEST(AttemptTimeout, TakesAnyDuration) {
  EXPECT_EQ(attempt_timeout{seconds_double{0.5}}.value(), 500ms);
  EXPECT_EQ(attempt_timeout{std::chrono::hours::max()}.value(), duration::max());
}

TEST(AttemptTimeout, DescribesItself) {
  EXPECT_EQ(attempt_timeout<250ms>{}.describe(), "attempt_timeout(250ms)");
  EXPECT_EQ(attempt_timeout{3s}.describe(), "attempt_timeout(3s)");
}

TEST(AttemptTimeout, IsSoundAboveZero) {
  static_assert(attempt_timeout<1ns>::is_sound && !attempt_timeout<0s>::is_sound && !attempt_timeout<-1ns>::is_sound);
  static_assert(decltype(attempt_timeout{1s})::is_sound);
  static_assert(anew::Composable<attempt_timeout<1ns>> && !anew::Composable<attempt_timeout<0s>>);
  static_assert(std::is_default_constructible_v<attempt_timeout<1s>>);
  static_assert(!std::is_default_constructible_v<attempt_timeout<anew::run_time>>);
  static_assert(!std::is_constructible_v<attempt_timeout<1s>, duration>);
  static_assert(!std::is_convertible_v<duration, attempt_timeout<anew::run_time>>);
  EXPECT_EQ(attempt_timeout{1ns}.value(), 1ns);
}

TEST(AttemptTimeout, RefusesALimitOfNothing) {
  EXPECT_REJECTED(attempt_timeout{0s}, "anew::attempt_timeout: limit must be above zero, but is 0s");
  EXPECT_REJECTED(attempt_timeout{-1ms}, "anew::attempt_timeout: limit must be above zero, but is -1ms");
  EXPECT_REJECTED(attempt_timeout{seconds_double{std::numeric_limits<double>::quiet_NaN()}},
                  "anew::attempt_timeout: limit must be above zero, but is -9223372036854775808ns");
}

}  // namespace
}  // namespace attempt_timeout_attempt_timeout_test
