// SPDX-License-Identifier: BSL-1.0
// The parts of the client rate limiter. The published tables of its cubic functions: tests/vectors/adaptive_cubic.json.
#include <chrono>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/pacer/internal/pacing_bucket.hpp"
#include "anew/policies/pacer/internal/waiting_line.hpp"

#include "names.hpp"

namespace pacer_test {
namespace {

using namespace anew;
using detail::queue_place;
using detail::waiting_line;

constexpr double tolerance = 1e-9;

TEST(CubicRate, EachNumberActs) {
  EXPECT_NEAR(cubic_rate::time_window(8, {.beta = 0.9}), 1.2599210498948732, tolerance);  // cbrt(8*0.1/0.4)
  EXPECT_NEAR(cubic_rate::time_window(8, {.scale = 2.4}), 1.0, tolerance);
  cubic_rate const steep{.last_max_rate = 0, .last_throttle_time = 1, .constants = {.scale = 2}};
  EXPECT_NEAR(steep.success(3), 16, tolerance);
}

constexpr time_point at(duration since_epoch) { return time_point{since_epoch}; }

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
  EXPECT_EQ(detail::floor_divide(7, 5), 1);
  EXPECT_EQ(detail::floor_divide(5, 5), 1);
  EXPECT_EQ(detail::floor_divide(0, 5), 0);
  EXPECT_EQ(detail::floor_divide(-1, 5), -1);
  EXPECT_EQ(detail::floor_divide(-5, 5), -1);
  EXPECT_EQ(detail::floor_divide(-6, 5), -2);
  EXPECT_EQ(detail::floor_divide(INT64_MIN, 1'000'000'000), -9'223'372'037);
}

pacing_bucket filling_at(double rate, rate_limiter_constants const& c = {}) {
  pacing_bucket bucket;
  bucket.set_rate(rate, at(0s), c);
  return bucket;
}

TEST(PacingBucket, AWaitIsTheNearestNanosecondAndNeverNothing) {
  auto bucket = filling_at(0.5);
  EXPECT_EQ(bucket.try_take(1, at(2s - 1ns)), 1ns);
  EXPECT_EQ(bucket.try_take(1, at(2s)), 0ns);
  auto thirds = filling_at(3);
  EXPECT_EQ(thirds.try_take(1, at(0s)), 333'333'333ns);
  EXPECT_EQ(thirds.try_take(1, at(333'333'333ns)), 0ns);  // a third of a nanosecond is missing
  EXPECT_EQ(thirds.capacity(), 0);                        // and is not owed
  auto sixths = filling_at(1.5);
  EXPECT_EQ(sixths.try_take(1, at(0s)), 666'666'667ns);
  EXPECT_EQ(sixths.try_take(1, at(666'666'666ns)), 1ns);
  EXPECT_EQ(sixths.try_take(1, at(666'666'667ns)), 0ns);
}

TEST(PacingBucket, AWaitBeyondAllTimeIsTheLongest) {
  auto bucket = filling_at(0, {.min_fill_rate = 1e-12});
  EXPECT_EQ(bucket.try_take(1, at(0s)), duration::max());
  EXPECT_EQ(filling_at(1e-6, {.min_fill_rate = 1e-6}).try_take(1, at(0s)), 1'000'000s);
}

TEST(PacingBucket, TakesNoMoreThanThereIs) {
  auto bucket = filling_at(2);
  bucket.refill(at(1s));
  bucket.take(1);
  EXPECT_DOUBLE_EQ(bucket.capacity(), 1);
  EXPECT_EQ(bucket.time_to(3), 1s);
  bucket.take(1 + 1e-12);
  EXPECT_EQ(bucket.capacity(), 0);
}

constexpr time_point start{1000s};

queue_place joined(waiting_line& line, time_point now = start) {
  queue_place place;
  line.join(place, now);
  return place;
}

TEST(WaitingLine, CountsThoseBeforeAndThoseBehindMoveUp) {
  waiting_line line;
  EXPECT_EQ(line.size(), 0U);
  EXPECT_EQ(line.ahead_of(queue_place{}), 0U);
  auto first = joined(line);
  auto const second = joined(line, start + 1s);
  auto third = joined(line);
  EXPECT_EQ(second.since, start + 1s);
  EXPECT_EQ(line.size(), 3U);
  EXPECT_EQ(line.ahead_of(queue_place{}), 3U);
  line.leave(third);  // from the back, which moves nobody
  EXPECT_EQ(line.size(), 2U);
  EXPECT_EQ(line.ahead_of(first), 0U);
  EXPECT_EQ(line.ahead_of(second), 1U);
  line.leave(first);
  EXPECT_EQ(first, queue_place{});
  EXPECT_EQ(line.size(), 1U);
  EXPECT_EQ(line.ahead_of(second), 0U);
}

TEST(WaitingLine, WhoWasToldThatItIsNextStandsBeforeTheOthers) {
  waiting_line line;
  auto first = joined(line);
  auto const second = joined(line);
  line.wait_on(first);
  EXPECT_TRUE(first.is_overdue);
  EXPECT_EQ(line.ahead_of(second), 1U);
  line.come_back(first);
  EXPECT_FALSE(first.is_overdue);
  line.leave(first);
  EXPECT_EQ(line.ahead_of(second), 0U);
}

// --- in a forked child

TEST(WaitingLine, BeginsAnewInAnotherGeneration) {
  waiting_line line;
  EXPECT_FALSE(line.renew(0));
  (void)joined(line);
  EXPECT_FALSE(line.renew(0));
  EXPECT_EQ(line.size(), 1U);
  EXPECT_TRUE(line.renew(1));
  EXPECT_EQ(line.size(), 0U);
  EXPECT_FALSE(line.renew(1));
  EXPECT_TRUE(line.holds(joined(line)));
}

TEST(WaitingLine, APlaceOfAnotherGenerationIsNone) {
  waiting_line line;
  std::vector<queue_place> old;
  for (int i = 0; i < 5; ++i) {
    old.push_back(joined(line));
    line.wait_on(old.back());
  }
  line.renew(7);
  auto const own = joined(line);
  for (auto place : old) {
    EXPECT_FALSE(line.holds(place));
    EXPECT_EQ(line.ahead_of(place), 1U);  // as one that is not taken yet
    line.leave(place);
    EXPECT_EQ(place, queue_place{});
  }
  EXPECT_EQ(line.size(), 1U);
  EXPECT_EQ(line.ahead_of(own), 0U);
  auto returning = old.front();
  EXPECT_TRUE(returning.is_overdue);
  line.come_back(returning);
  EXPECT_EQ(returning, queue_place{});
  EXPECT_EQ(line.ahead_of(own), 0U);
}

// Places that leave, come back and go to sleep, some of them of a generation that is gone: no number goes below zero.
TEST(WaitingLine, NothingUnderflows) {
  generator dice{1, 51};
  waiting_line line;
  std::uint32_t generation = 0;
  std::vector<queue_place> own;
  std::vector<queue_place> old;
  for (int i = 0; i < 200'000; ++i) {
    auto const roll = dice();
    auto& places = roll % 4 == 0 && !old.empty() ? old : own;
    if (roll % 1'000 == 1) {
      line.renew(++generation);
      old.insert(old.end(), own.begin(), own.end());
      if (old.size() > 50) old.resize(50);
      own.clear();
    } else if (places.empty() || (roll >> 8U) % 3 == 0) {
      if (own.size() < 40) own.push_back(joined(line));
    } else {
      auto& chosen = places[(roll >> 16U) % places.size()];
      bool const is_own = line.holds(chosen);
      ASSERT_EQ(is_own, &places == &own);
      line.come_back(chosen);
      if (is_own && (roll >> 12U) % 2 == 0) {
        line.wait_on(chosen);
      } else {
        line.leave(chosen);
        chosen = places.back();
        places.pop_back();
      }
    }
    ASSERT_EQ(line.size(), own.size());
    ASSERT_LE(line.ahead_of(queue_place{}), own.size());
    for (auto const& place : own) ASSERT_LT(line.ahead_of(place), own.size() + (place.is_overdue ? 1U : 0U));
  }
  EXPECT_GT(generation, 50U);
}

}  // namespace
}  // namespace pacer_test
