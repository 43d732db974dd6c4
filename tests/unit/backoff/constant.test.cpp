// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include "anew/backoff/constant.hpp"

#include "rejection.hpp"

namespace backoff_constant_test {
namespace {

using namespace std::chrono_literals;
using anew::constant_backoff;
using anew::duration;
using seconds_double = std::chrono::duration<double>;

TEST(ConstantBackoff, WaitsTheSameBeforeEveryRetry) {
  constexpr constant_backoff<100ms> fixed;
  constant_backoff const chosen{100ms};
  for (std::uint32_t retry : {1U, 2U, 31U, 1000U, ~0U}) {
    EXPECT_EQ(fixed.delay(retry), 100ms);
    EXPECT_EQ(chosen.delay(retry), 100ms);
  }
  EXPECT_EQ(fixed.cap(), 100ms);
  EXPECT_EQ(chosen.cap(), 100ms);
  EXPECT_EQ(fixed.describe(), "constant(100ms)");
  EXPECT_EQ(chosen.describe(), "constant(100ms)");
}

TEST(ConstantBackoff, TakesAnyDuration) {
  EXPECT_EQ(constant_backoff{seconds_double{1.5}}.delay(1), 1'500ms);
  EXPECT_EQ(constant_backoff{0s}.delay(1), 0ns);
  EXPECT_EQ(constant_backoff{std::chrono::hours::max()}.delay(1), duration::max());
  EXPECT_EQ(constant_backoff{seconds_double{std::numeric_limits<double>::infinity()}}.delay(1), duration::max());
  EXPECT_EQ(constant_backoff<duration::max()>{}.delay(1), duration::max());
}

TEST(ConstantBackoff, IsSoundFromZeroOn) {
  static_assert(constant_backoff<0ns>::is_sound && !constant_backoff<-1ns>::is_sound);
  static_assert(!constant_backoff<duration::min() + 1ns>::is_sound);
  static_assert(constant_backoff<anew::run_time>::is_sound);
}

TEST(ConstantBackoff, RefusesANegativeDelay) {
  EXPECT_REJECTED(constant_backoff{-1ns}, "anew::constant_backoff: delay must not be negative, but is -1ns");
  EXPECT_REJECTED(constant_backoff{-2s}, "anew::constant_backoff: delay must not be negative, but is -2s");
  EXPECT_REJECTED(constant_backoff{seconds_double{std::numeric_limits<double>::quiet_NaN()}},
                  "anew::constant_backoff: delay must not be negative, but is -9223372036854775808ns");
  EXPECT_REJECTED(constant_backoff{seconds_double{-std::numeric_limits<double>::infinity()}},
                  "anew::constant_backoff: delay must not be negative, but is -9223372036854775808ns");
  EXPECT_REJECTED(constant_backoff{std::chrono::hours::min()},
                  "anew::constant_backoff: delay must not be negative, but is -9223372036854775808ns");
}

}  // namespace
}  // namespace backoff_constant_test
