// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/quota/refilling_bucket.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/scripted_random.hpp"

#include "budget_support.hpp"
#include "names.hpp"

namespace quota_refilling_bucket_test {
namespace {

using namespace anew;
using support::drain;

constexpr time_point start{1000s};

static_assert(Quota<refilling_bucket<10, 100ms>> && Quota<refilling_bucket<10, 100ms, when_empty::reserve, 1s>>);
static_assert(sizeof(refilling_bucket<10, 100ms>) == 8 && !detail::AcquiresWithoutTime<refilling_bucket<10, 100ms>>);
static_assert(one_each.of(error_kind::client) == 1 && one_each.of(error_kind::server) == 1);

TEST(RefillingBucket, StartsFullAtAnyTime) {
  for (auto const now : {start, time_point{}, time_point{-5s}, time_point::min() + 1h, time_point{duration{1}}}) {
    refilling_bucket<10, 100ms> const bucket;
    EXPECT_EQ(bucket.balance(now), 10U);
    EXPECT_EQ(drain(bucket, now), 10U);
    EXPECT_EQ(bucket.balance(now), 0U);
  }
  EXPECT_EQ((refilling_bucket<10, 100ms>{}.capacity()), 10U);
}

TEST(RefillingBucket, OneTokenComesBackEveryPer) {
  refilling_bucket<10, 100ms> const bucket;
  EXPECT_EQ(drain(bucket, start), 10U);
  EXPECT_EQ(drain(bucket, start + 100ms - 1ns), 0U);
  EXPECT_EQ(drain(bucket, start + 100ms), 1U);
  EXPECT_EQ(drain(bucket, start + 100ms), 0U);
  EXPECT_EQ(bucket.balance(start + 399ms), 2U);
  EXPECT_EQ(drain(bucket, start + 399ms), 2U);
  EXPECT_EQ(drain(bucket, start + 400ms), 1U);  // the 99 ms were kept
}

// Published for smithy-rs: tokens a second, seconds, whole tokens, whether the fraction left makes one more in the rest.
TEST(RefillingBucket, KeepsFractionsAsPublished) {
  struct row {
    duration per;
    std::chrono::seconds elapsed;
    unsigned whole;
    duration missing;  // for the next one
  };
  for (auto const& r : {row{100ms, 2s, 20, 100ms}, row{1000s, 1100s, 1, 900s}, row{10'000s, 11'000s, 1, 9000s},
                        row{1000s, 1200s, 1, 800s}, row{10'000s, 10'000s, 1, 10'000s}, row{1000s, 500s, 0, 500s}}) {
    refilling_bucket const bucket{500, r.per};
    EXPECT_EQ(drain(bucket, start), 500U);
    auto const later = start + r.elapsed;
    EXPECT_EQ(drain(bucket, later), r.whole);
    EXPECT_EQ(drain(bucket, later + r.missing - 1ns), 0U);
    EXPECT_EQ(drain(bucket, later + r.missing), 1U);
  }
}

TEST(RefillingBucket, ARetryPaysByTheKindOfTheError) {
  constexpr retry_costs costs{.transient = 1, .throttling = 2, .timeout = 3, .server = 4, .client = 5};
  refilling_bucket<60, 1s, when_empty::refuse, 0s, costs> const fixed;
  refilling_bucket const chosen{60, 1s, costs};
  for (std::uint32_t kind = 0; kind != 5; ++kind) {
    EXPECT_EQ(fixed.try_acquire({.kind = static_cast<error_kind>(kind)}, start), kind + 1);
    EXPECT_EQ(chosen.try_acquire({.kind = static_cast<error_kind>(kind)}, start), kind + 1);
  }
  EXPECT_EQ(fixed.balance(start), 45U);
  refilling_bucket const small{4, 1s, costs};
  EXPECT_FALSE(small.try_acquire({.kind = error_kind::client}, start));
  EXPECT_TRUE(small.try_acquire({.kind = error_kind::server}, start));
}

TEST(RefillingBucket, WhatComesBackToAFullOneIsLostAndASuccessGivesNothing) {
  refilling_bucket<10, 100ms> const bucket;
  auto const permit = bucket.try_acquire(failure{}, start);
  bucket.on_success(*permit);
  bucket.on_success({});
  EXPECT_EQ(bucket.balance(start), 9U);
  bucket.release(*permit);
  EXPECT_EQ(drain(bucket, start + 1h), 10U);
  bucket.release(*permit);
  EXPECT_EQ(drain(bucket, start + 1h), 1U);
  auto const late = bucket.try_acquire(failure{}, start + 2h);
  bucket.release(*late);
  bucket.release(*late);
  EXPECT_EQ(drain(bucket, start + 2h), 10U);
}

TEST(RefillingBucket, TimeThatGoesBackRefillsNothing) {
  refilling_bucket<2, 1s> const bucket;
  EXPECT_EQ(drain(bucket, start), 2U);
  EXPECT_EQ(drain(bucket, start - 1h), 0U);
  EXPECT_EQ(bucket.balance(start + 2s - 1ns), 1U);
  EXPECT_EQ(drain(bucket, start + 1s), 1U);
}

TEST(RefillingBucket, ExtremeNumbersDoNotOverflow) {
  constexpr auto longest = duration{std::numeric_limits<std::int64_t>::max() / 2};
  refilling_bucket const slow{1, longest};
  EXPECT_EQ(drain(slow, start), 1U);
  EXPECT_FALSE(slow.try_acquire(failure{}, start + longest - 1ns));
  refilling_bucket const large{std::int64_t{4294967295}, 1s, retry_costs{.transient = 4294967295}};
  EXPECT_EQ(large.balance(start), 4294967295U);
  EXPECT_EQ(drain(large, start), 1U);
  EXPECT_EQ(large.balance(start), 0U);
  refilling_bucket const dear{1, longest, retry_costs{.transient = 4294967295}};
  EXPECT_FALSE(dear.try_acquire(failure{}, start));
  EXPECT_FALSE((refilling_bucket<0, 1s>{}.try_acquire(failure{}, start)));
  refilling_bucket<10, 100ms> const at_the_end;
  EXPECT_LE(drain(at_the_end, time_point::max()), 10U);
  refilling_bucket<10, 100ms, when_empty::reserve, 1s> const at_the_start;
  auto const permit = at_the_start.try_acquire(failure{}, time_point::min());
  ASSERT_TRUE(permit);
  EXPECT_EQ(at_the_start.wait(*permit, time_point::min()), 0ns);
}

TEST(ReservingBucket, LendsUpToTheLongestWaitAndSaysHowLong) {
  refilling_bucket<2, 100ms, when_empty::reserve, 250ms> const bucket;
  std::vector<duration> waits;
  while (auto const permit = bucket.try_acquire(failure{}, start)) waits.push_back(bucket.wait(*permit, start));
  EXPECT_EQ(waits, (std::vector<duration>{0ns, 0ns, 100ms, 200ms}));
  EXPECT_EQ(bucket.balance(start), 0U);
  EXPECT_EQ(bucket.balance(start + 299ms), 0U);
  EXPECT_EQ(bucket.balance(start + 300ms), 1U);
}

TEST(ReservingBucket, TheWaitIsLongestAtMostAndGetsShorter) {
  refilling_bucket const short_of_it{1, 100ms, longest_wait{100ms - 1ns}};
  EXPECT_EQ(drain(short_of_it, start), 1U);
  EXPECT_EQ(drain(short_of_it, start + 1ns), 1U);
  refilling_bucket const exactly{1, 100ms, longest_wait{100ms}};
  (void)exactly.try_acquire(failure{}, start);
  auto const permit = exactly.try_acquire(failure{}, start);
  EXPECT_EQ(exactly.wait(*permit, start), 100ms);
  EXPECT_EQ(exactly.wait(*permit, start + 60ms), 40ms);
  EXPECT_EQ(exactly.wait(*permit, start + 200ms), 0ms);
}

TEST(ReservingBucket, AReservationThatIsNotUsedGivesItsTimeBack) {
  refilling_bucket const bucket{1, 100ms, longest_wait{300ms}, retry_costs{.transient = 1, .timeout = 2}};
  (void)bucket.try_acquire(failure{}, start);
  auto const dear = bucket.try_acquire({.kind = error_kind::timeout}, start);
  EXPECT_EQ(bucket.wait(*dear, start), 200ms);
  EXPECT_FALSE(bucket.try_acquire({.kind = error_kind::timeout}, start));
  bucket.release(*dear);
  auto const next = bucket.try_acquire(failure{}, start);
  EXPECT_EQ(bucket.wait(*next, start), 100ms);
}

TEST(ReservingBucket, InAStrategyADeadlineShortensNoWaitForALentToken) {
  using anew::at_deadline;
  manual_clock const clock;
  for (auto const then : {at_deadline::stop, at_deadline::clamp, at_deadline::last_try}) {
    auto const s = compose(refilling_bucket{0, 100ms, longest_wait{10s}}, constant_backoff<1s>{}, full_jitter{},
                           anew::testing::lowest_random{}, max_attempts<9>{}, deadline{150ms, then, 10ms}, clock);
    auto const retry = [&s] { return s.refresh_retry_token(s.acquire_initial_token(), failure{}); };
    {
      auto const first = retry();
      ASSERT_TRUE(first.has_value());
      EXPECT_EQ((*first).delay(), 100ms);
      // The next token is there after 200 ms, which is too late; nothing is charged.
      EXPECT_EQ(retry().reason(), stop_reason::deadline);
      EXPECT_EQ(retry().reason(), stop_reason::deadline);
    }
    EXPECT_EQ((*retry()).delay(), 100ms);
  }
}

TEST(RefillingBucket, MovesWithEverything) {
  refilling_bucket chosen{5, 100ms,
                          retry_costs{.transient = 2, .throttling = 1, .timeout = 1, .server = 1, .client = 1}};
  (void)chosen.try_acquire(failure{}, start);
  refilling_bucket const moved{std::move(chosen)};
  EXPECT_EQ(moved.balance(start), 3U);
  EXPECT_EQ(moved.capacity(), 5U);
  EXPECT_EQ(moved.try_acquire(failure{}, start), 2U);
  EXPECT_EQ(moved.balance(start + 99ms), 1U);
  EXPECT_EQ(moved.balance(start + 100ms), 2U);
}

}  // namespace
}  // namespace quota_refilling_bucket_test
