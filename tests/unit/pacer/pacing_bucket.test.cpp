// SPDX-License-Identifier: BSL-1.0
#include <chrono>

#include <gtest/gtest.h>

#include "anew/pacer/internal/pacing_bucket.hpp"

namespace pacer_pacing_bucket_test {
namespace {

using namespace std::chrono_literals;
using anew::duration;
using anew::pacing_bucket;
using anew::rate_limiter_constants;
using anew::time_point;

constexpr time_point at(duration since_epoch) { return time_point{since_epoch}; }

pacing_bucket filling_at(double rate, rate_limiter_constants const& c = {}) {
  pacing_bucket bucket;
  bucket.set_rate(rate, at(0s), c);
  return bucket;
}

TEST(PacingBucket, BeginsEmptyAndFillsUpToASecondsWorth) {
  auto bucket = filling_at(20);
  EXPECT_EQ(bucket.capacity(), 0);
  bucket.refill(at(100ms));
  EXPECT_DOUBLE_EQ(bucket.capacity(), 2);
  bucket.refill(at(1h));
  EXPECT_DOUBLE_EQ(bucket.capacity(), 20);
}

TEST(PacingBucket, TheRateHasALowestValueAndRoomForOne) {
  EXPECT_DOUBLE_EQ(filling_at(0.1).fill_rate(), 0.5);
  EXPECT_DOUBLE_EQ(filling_at(0.1).max_capacity(), 1);
  EXPECT_DOUBLE_EQ(filling_at(-1e300).fill_rate(), 0.5);
  EXPECT_DOUBLE_EQ(filling_at(0.6).fill_rate(), 0.6);
  EXPECT_DOUBLE_EQ(filling_at(0.6).max_capacity(), 1);
}

TEST(PacingBucket, ARateThatChangesFindsTheTokensOfTheOldOne) {
  auto bucket = filling_at(20);
  bucket.set_rate(10, at(300ms), {});
  EXPECT_DOUBLE_EQ(bucket.capacity(), 6);
  bucket.set_rate(3, at(300ms), {});
  EXPECT_DOUBLE_EQ(bucket.capacity(), 3);  // no more than the new one keeps
  bucket.set_rate(30, at(300ms), {});
  EXPECT_DOUBLE_EQ(bucket.capacity(), 3);
}

TEST(PacingBucket, WhatIsNotThereIsNotTaken) {
  auto bucket = filling_at(10);
  EXPECT_EQ(bucket.try_take(1, at(50ms)), 50ms);
  EXPECT_DOUBLE_EQ(bucket.capacity(), 0.5);
  EXPECT_EQ(bucket.try_take(1, at(100ms)), 0ns);
  EXPECT_DOUBLE_EQ(bucket.capacity(), 0);
}

TEST(PacingBucket, TimeThatGoesBackwardsChangesNothing) {
  auto bucket = filling_at(10);
  bucket.refill(at(500ms));
  bucket.refill(at(100ms));
  EXPECT_DOUBLE_EQ(bucket.capacity(), 5);
  bucket.refill(at(600ms));
  EXPECT_DOUBLE_EQ(bucket.capacity(), 6);
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

}  // namespace
}  // namespace pacer_pacing_bucket_test
