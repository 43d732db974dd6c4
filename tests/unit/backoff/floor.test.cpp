// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/backoff/constant.hpp"
#include "anew/backoff/exponential.hpp"
#include "anew/backoff/floor.hpp"

#include "rejection.hpp"

namespace backoff_floor_test {
namespace {

using namespace std::chrono_literals;
using anew::constant_backoff;
using anew::duration;
using anew::exponential_backoff;
using anew::floor_backoff;

using at_run_time = decltype(anew::constant_backoff{1s});
static_assert(std::is_default_constructible_v<anew::floor_backoff<anew::constant_backoff<1s>, 1s>>);
static_assert(!std::is_default_constructible_v<anew::floor_backoff<at_run_time, 1s>>);
static_assert(!std::is_default_constructible_v<anew::floor_backoff<anew::constant_backoff<1s>, anew::run_time>>);
static_assert(sizeof(floor_backoff<floor_backoff<constant_backoff<1s>, 1s>, 1s>) == 1);
static_assert(std::is_empty_v<floor_backoff<exponential_backoff<1s, 1s>, 1s>>);
static_assert(sizeof(floor_backoff{constant_backoff<1s>{}, 1s}) == sizeof(duration));
static_assert(!floor_backoff<constant_backoff<-1s>, 1s>::is_sound &&
              !floor_backoff<constant_backoff<1s>, -1s>::is_sound);
static_assert(floor_backoff<constant_backoff<1s>, 0s>::is_sound);

TEST(FloorBackoff, WaitsAtLeastTheMinimum) {
  floor_backoff<exponential_backoff<50ms, 20s>, 150ms> const b;
  EXPECT_EQ(b.delay(1), 150ms);
  EXPECT_EQ(b.delay(2), 150ms);
  EXPECT_EQ(b.delay(3), 200ms);
  EXPECT_EQ(b.delay(~0U), 20s);
  EXPECT_EQ(b.cap(), 20s);
  EXPECT_EQ(b.describe(), "floor(exponential(50ms,20s),150ms)");
}

TEST(FloorBackoff, AMinimumAboveTheCapIsTheCap) {
  floor_backoff<exponential_backoff<50ms, 1s>, 2s> const b;
  EXPECT_EQ(b.delay(1), 2s);
  EXPECT_EQ(b.delay(~0U), 2s);
  EXPECT_EQ(b.cap(), 2s);
}

TEST(FloorBackoff, ValuesOfTheTypeAndOfTheObjectAgree) {
  floor_backoff<exponential_backoff<50ms, 20s>, 150ms> const fixed;
  floor_backoff const chosen{exponential_backoff{50ms, 20s}, 150ms};
  floor_backoff<decltype(exponential_backoff{50ms, 20s}), 150ms> const mixed{exponential_backoff{50ms, 20s}};
  for (std::uint32_t retry = 0; retry < 40; ++retry) {
    EXPECT_EQ(fixed.delay(retry), chosen.delay(retry));
    EXPECT_EQ(fixed.delay(retry), mixed.delay(retry));
  }
  EXPECT_EQ(chosen.cap(), 20s);
  EXPECT_EQ(chosen.describe(), fixed.describe());
  static_assert(floor_backoff{constant_backoff{1s}, 2s}.delay(1) == 2s);
}

TEST(FloorBackoff, RefusesANegativeMinimum) {
  EXPECT_REJECTED((floor_backoff{constant_backoff{1s}, -1ms}),
                  "anew::floor_backoff: min must not be negative, but is -1ms");
  EXPECT_EQ((floor_backoff{constant_backoff{1s}, 0s}.delay(1)), 1s);
}

}  // namespace
}  // namespace backoff_floor_test
