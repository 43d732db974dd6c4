// SPDX-License-Identifier: BSL-1.0
#include <chrono>

#include <gtest/gtest.h>

#include "anew/pacer/internal/measured_rate.hpp"

namespace pacer_measured_rate_test {
namespace {

using namespace std::chrono_literals;
using anew::duration;
using anew::measured_rate;
using anew::time_point;

constexpr time_point at(duration since_epoch) { return time_point{since_epoch}; }

TEST(MeasuredRate, TakesASampleInEachHalfSecondThatResponsesReach) {
  measured_rate rate{at(0s)};
  rate.record(1, at(499'999'999ns), 0.8);
  EXPECT_EQ(rate.rate(), 0);
  rate.record(1, at(500ms), 0.8);
  EXPECT_DOUBLE_EQ(rate.rate(), 0.8 * 2 / 0.5);
  rate.record(1, at(999'999'999ns), 0.8);
  EXPECT_DOUBLE_EQ(rate.rate(), 0.8 * 2 / 0.5);
  rate.record(1, at(1s), 0.8);
  EXPECT_DOUBLE_EQ(rate.rate(), 0.8 * 2 / 0.5 + 0.2 * (0.8 * 2 / 0.5));
}

TEST(MeasuredRate, ManyAtOnceAreAsManyOneByOne) {
  measured_rate one_by_one{at(0s)};
  measured_rate at_once{at(0s)};
  for (int i = 1; i < 50; ++i) {
    for (int k = 0; k < 7; ++k) one_by_one.record(1, at(i * 130ms), 0.8);
    at_once.record(7, at(i * 130ms), 0.8);
  }
  EXPECT_NEAR(one_by_one.rate(), at_once.rate(), at_once.rate() / 5);  // the first of the seven takes the sample
  EXPECT_NEAR(at_once.rate(), 7 / 0.13, 7 / 0.13 / 5);
}

TEST(MeasuredRate, AnIdleTimeIsOneSample) {
  measured_rate rate{at(0s)};
  for (int i = 1; i <= 10; ++i) rate.record(10, at(i * 500ms), 1);
  EXPECT_DOUBLE_EQ(rate.rate(), 20);
  rate.record(1, at(65s), 0.8);
  EXPECT_DOUBLE_EQ(rate.rate(), 0.8 * 1 / 60 + 0.2 * 20);
}

TEST(MeasuredRate, ResponsesOfAnEarlierHalfSecondAreCounted) {
  measured_rate rate{at(10s)};
  rate.record(1, at(10'500ms), 1);
  EXPECT_DOUBLE_EQ(rate.rate(), 2);
  for (int i = 0; i < 9; ++i) rate.record(1, at(10'100ms), 1);
  EXPECT_DOUBLE_EQ(rate.rate(), 2);
  rate.record(1, at(11s), 1);
  EXPECT_DOUBLE_EQ(rate.rate(), 20);
}

TEST(MeasuredRate, TheClockMayBeginAnywhere) {
  for (auto const start : {-100s, -1s, 0s, 1s, 1'000'000'000s}) {
    measured_rate rate{at(start + 700ms)};
    rate.record(1, at(start + 700ms), 0.8);  // the first half second is that of the whole second
    EXPECT_DOUBLE_EQ(rate.rate(), 1.6) << start.count();
    rate.record(1, at(start + 1s), 0.8);
    EXPECT_DOUBLE_EQ(rate.rate(), 1.92) << start.count();
  }
}

TEST(FloorDivide, RoundsDownOnBothSidesOfZero) {
  EXPECT_EQ(anew::detail::floor_divide(7, 5), 1);
  EXPECT_EQ(anew::detail::floor_divide(5, 5), 1);
  EXPECT_EQ(anew::detail::floor_divide(0, 5), 0);
  EXPECT_EQ(anew::detail::floor_divide(-1, 5), -1);
  EXPECT_EQ(anew::detail::floor_divide(-5, 5), -1);
  EXPECT_EQ(anew::detail::floor_divide(-6, 5), -2);
  EXPECT_EQ(anew::detail::floor_divide(INT64_MIN, 1'000'000'000), -9'223'372'037);
}

}  // namespace
}  // namespace pacer_measured_rate_test
