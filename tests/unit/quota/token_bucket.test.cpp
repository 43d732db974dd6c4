// SPDX-License-Identifier: BSL-1.0
#include <cstdint>
#include <optional>
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/quota/token_bucket.hpp"
#include "anew/sharing/partitioned.hpp"
#include "anew/sharing/shared.hpp"

#include "rejection.hpp"

namespace quota_token_bucket_test {
namespace {

using anew::error_kind;
using anew::failure;
using anew::payment;
using anew::refund;
using anew::retry_costs;
using anew::token_bucket;

constexpr failure of(error_kind kind) { return {.kind = kind}; }

template <class Bucket>
std::uint32_t drain(Bucket const& bucket, error_kind kind) {
  std::uint32_t granted = 0;
  while (bucket.try_acquire(of(kind))) ++granted;
  return granted;
}

TEST(TokenBucket, StartsFull) {
  EXPECT_EQ(token_bucket<>{}.balance(), 500U);
  EXPECT_EQ(token_bucket<17>{}.balance(), 17U);
  EXPECT_EQ(token_bucket<17>{}.capacity(), 17U);
  EXPECT_EQ(token_bucket{20}.balance(), 20U);
  EXPECT_EQ(token_bucket{20}.capacity(), 20U);
  EXPECT_EQ(token_bucket<4294967295>{}.balance(), 4294967295U);
  EXPECT_EQ(token_bucket{std::int64_t{4294967295}}.capacity(), 4294967295U);
}

TEST(TokenBucket, ARetryPaysByTheKindOfTheError) {
  auto const cost = [](error_kind kind) {
    token_bucket<500> const bucket;
    auto const permit = bucket.try_acquire(of(kind));
    EXPECT_EQ(500U - bucket.balance(), *permit);
    return *permit;
  };
  EXPECT_EQ(cost(error_kind::transient), 14U);
  EXPECT_EQ(cost(error_kind::throttling), 5U);
  EXPECT_EQ(cost(error_kind::timeout), 14U);
  EXPECT_EQ(cost(error_kind::server), 14U);
  EXPECT_EQ(cost(error_kind::client), 14U);
}

TEST(TokenBucket, EachKindHasACostOfItsOwn) {
  constexpr retry_costs costs{.transient = 1, .throttling = 2, .timeout = 3, .server = 4, .client = 5};
  token_bucket<100, costs> const fixed;
  token_bucket const chosen{100, costs};
  for (auto const& [kind, cost] : {std::pair{error_kind::transient, 1U}, std::pair{error_kind::throttling, 2U},
                                   std::pair{error_kind::timeout, 3U}, std::pair{error_kind::server, 4U},
                                   std::pair{error_kind::client, 5U}, std::pair{static_cast<error_kind>(99), 1U}}) {
    EXPECT_EQ(fixed.try_acquire(of(kind)), cost);
    EXPECT_EQ(chosen.try_acquire(of(kind)), cost);
  }
}

// 500/14, 500/10 and 500/5: what a service that is down gets of a full bucket.
TEST(TokenBucket, AFullBucketGrantsSoManyRetriesAndThenNone) {
  token_bucket<500> const by_default;
  EXPECT_EQ(drain(by_default, error_kind::transient), 35U);
  EXPECT_EQ(by_default.balance(), 500U - 35U * 14U);
  token_bucket<500, retry_costs{.transient = 10}> const ten;
  EXPECT_EQ(drain(ten, error_kind::transient), 50U);
  EXPECT_EQ(ten.balance(), 0U);
  token_bucket<500, retry_costs{.transient = 5}> const five;
  EXPECT_EQ(drain(five, error_kind::transient), 100U);
  EXPECT_EQ(drain(token_bucket<500>{}, error_kind::throttling), 100U);
}

TEST(TokenBucket, GrantsExactlyWhatIsThere) {
  token_bucket<14> const enough;
  EXPECT_TRUE(enough.try_acquire(failure{}).has_value());
  EXPECT_EQ(enough.balance(), 0U);
  token_bucket const short_of_one{14, retry_costs{}, 13};
  EXPECT_FALSE(short_of_one.try_acquire(failure{}).has_value());
  EXPECT_EQ(short_of_one.balance(), 13U);
}

TEST(TokenBucket, ARefusalTakesNothingAndACheaperRetryMayFollow) {
  token_bucket<18> const bucket;
  EXPECT_TRUE(bucket.try_acquire(of(error_kind::transient)));
  EXPECT_FALSE(bucket.try_acquire(of(error_kind::throttling)));
  EXPECT_EQ(bucket.balance(), 4U);
  bucket.release(1);
  EXPECT_TRUE(bucket.try_acquire(of(error_kind::throttling)));
  EXPECT_EQ(bucket.balance(), 0U);
}

TEST(TokenBucket, ASuccessGivesBackWhatTheLastRetryPaid) {
  token_bucket<100> const bucket;
  auto const first = bucket.try_acquire(failure{});
  static_cast<void>(bucket.try_acquire(failure{}));
  EXPECT_EQ(bucket.balance(), 72U);
  bucket.on_success(*first);
  EXPECT_EQ(bucket.balance(), 86U);
}

TEST(TokenBucket, ASuccessAtOnceGivesOne) {
  token_bucket<100> const bucket;
  static_cast<void>(bucket.try_acquire(failure{}));
  bucket.on_success(0);
  EXPECT_EQ(bucket.balance(), 87U);
  bucket.on_success(1);
  EXPECT_EQ(bucket.balance(), 88U);
}

TEST(TokenBucket, IsNeverFullerThanItsCapacity) {
  token_bucket<20> const bucket;
  bucket.on_success(0);
  bucket.release(14);
  EXPECT_EQ(bucket.balance(), 20U);
  auto const permit = bucket.try_acquire(of(error_kind::throttling));
  bucket.release(*permit + 1);
  EXPECT_EQ(bucket.balance(), 20U);
  static_cast<void>(bucket.try_acquire(of(error_kind::throttling)));
  bucket.release(4294967295U);  // where a sum would wrap around
  EXPECT_EQ(bucket.balance(), 20U);
}

TEST(TokenBucket, TheLargestOneDoesNotWrapAround) {
  token_bucket<4294967295> const bucket;
  static_cast<void>(bucket.try_acquire(failure{}));
  bucket.release(4294967295U);
  EXPECT_EQ(bucket.balance(), 4294967295U);
}

TEST(TokenBucket, OfNothingGrantsNothing) {
  token_bucket<0> const bucket;
  EXPECT_FALSE(bucket.try_acquire(of(error_kind::throttling)).has_value());
  bucket.on_success(0);
  bucket.release(5);
  EXPECT_EQ(bucket.balance(), 0U);
  EXPECT_EQ(token_bucket{0}.balance(), 0U);
}

TEST(TokenBucket, MovesWithItsBalanceAndItsCosts) {
  token_bucket chosen{100, retry_costs{.transient = 7}};
  static_cast<void>(chosen.try_acquire(failure{}));
  token_bucket const moved{std::move(chosen)};
  EXPECT_EQ(moved.balance(), 93U);
  EXPECT_EQ(moved.capacity(), 100U);
  EXPECT_EQ(moved.try_acquire(failure{}), 7U);
}

TEST(TokenBucket, LeavesNothingWhereItWasMovedFrom) {
  token_bucket<500> from{};
  token_bucket<500> const to{std::move(from)};
  EXPECT_EQ(to.balance(), 500U);
  EXPECT_EQ(from.balance(), 0U);  // NOLINT(*-use-after-move)
  EXPECT_FALSE(from.try_acquire(failure{}));
}

// The whole of a call, through a strategy.
TEST(TokenBucket, InAStrategyAnOutageGetsOneAttemptPerCallOnceTheBucketIsEmpty) {
  anew::strategy<token_bucket<500>, anew::no_backoff> const s;
  int retries = 0;
  for (int call = 0; call < 1000; ++call) {
    auto next = s.refresh_retry_token(s.acquire_initial_token(), failure{});
    while (next) {
      ++retries;
      next = s.refresh_retry_token(*std::move(next), failure{});
    }
  }
  EXPECT_EQ(retries, 35);
  EXPECT_EQ(s.quota().balance(), 10U);
}

TEST(TokenBucket, IsSoundUpToTheEdgeOfWhatItRequires) {
  static_assert(token_bucket<0>::is_sound && !token_bucket<-1>::is_sound);
  static_assert(token_bucket<4294967295>::is_sound && !token_bucket<4294967296>::is_sound);
  static_assert(token_bucket<14>::is_sound && !token_bucket<13>::is_sound && !token_bucket<1>::is_sound);
  static_assert(token_bucket<1, retry_costs::all(1)>::is_sound && !token_bucket<1, retry_costs::all(2)>::is_sound);
  // An ordinary retry counts: a kind for which there is no room is never retried.
  static_assert(token_bucket<2, retry_costs{2, 1, 1, 1, 1}>::is_sound);
  static_assert(!token_bucket<1, retry_costs{2, 1, 1, 1, 1}>::is_sound);
  static_assert(token_bucket<1, retry_costs{1, 2, 2, 2, 2}>::is_sound);
  static_assert(token_bucket<1, retry_costs::all(2), refund{}, payment::partial>::is_sound);
  // What costs nothing is not limited: some kind must be.
  static_assert(token_bucket<1, retry_costs{0, 1, 1, 1, 1}>::is_sound);
  static_assert(token_bucket<1, retry_costs{0, 0, 0, 0, 1}>::is_sound);
  static_assert(!token_bucket<1, retry_costs::all(0)>::is_sound && !token_bucket<0, retry_costs::all(0)>::is_sound);
  static_assert(!token_bucket<-1, retry_costs{0, 1, 1, 1, 1}>::is_sound);
  static_assert(token_bucket<500, retry_costs{}, refund::fraction(1, 8'589'934)>::is_sound);
  static_assert(!token_bucket<500, retry_costs{}, refund::fraction(1, 8'589'935)>::is_sound);
  static_assert(!token_bucket<0, retry_costs{}, refund::fraction(1, 4'294'967'295)>::is_sound);
  static_assert(!token_bucket<500, retry_costs{}, refund::fraction(1, 0)>::is_sound);
  static_assert(decltype(token_bucket{14})::is_sound);
  EXPECT_EQ((token_bucket{1, retry_costs::all(1)}.balance()), 1U);
  EXPECT_EQ((token_bucket{13, retry_costs{}, refund{}, payment::partial}.balance()), 13U);
}

TEST(TokenBucketCosts, WhatIsNotNamedCostsWhatTransientCosts) {
  static_assert(retry_costs{} == retry_costs{14, 5, 14, 14, 14});
  static_assert(retry_costs{.transient = 5, .timeout = 10} == retry_costs{5, 5, 10, 5, 5});
  static_assert(retry_costs{.transient = 3, .server = 4} == retry_costs{3, 5, 3, 4, 3});
  static_assert(retry_costs::all(7) == retry_costs{7, 7, 7, 7, 7});
  static_assert(retry_costs{1, 2, 3, 4, 9}.dearest() == 9 && retry_costs{9, 2, 3, 4, 1}.dearest() == 9);
  token_bucket<500, retry_costs{.transient = 5, .timeout = 10}> const bucket;
  EXPECT_EQ(bucket.try_acquire(of(error_kind::server)), 5U);
}

// The legacy mode of the SDK for Java: a retry after throttling is free, and a success after it gives one.
TEST(TokenBucketCosts, AKindThatCostsNothingIsNotLimited) {
  token_bucket<100, retry_costs{.transient = 5, .throttling = 0}> const fixed;
  token_bucket const chosen{100, retry_costs{.transient = 5, .throttling = 0}};
  auto const check = [](auto const& bucket) {
    EXPECT_EQ(drain(bucket, error_kind::server), 20U);
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(bucket.try_acquire(of(error_kind::throttling)), 0U);
    EXPECT_EQ(bucket.balance(), 0U);
    bucket.release(0);
    EXPECT_EQ(bucket.balance(), 0U);
    bucket.on_success(0);
    EXPECT_EQ(bucket.balance(), 1U);
  };
  check(fixed);
  check(chosen);
}

template <class Bucket>
std::uint32_t after_success(Bucket const& bucket, std::uint32_t held) {
  bucket.on_success(held);
  return bucket.balance();
}

TEST(TokenBucketRefund, OfTheLastCostHasANumberForTheRest) {
  token_bucket<100, retry_costs{}, refund::last_cost(3)> const fixed;
  EXPECT_EQ(drain(fixed, error_kind::transient), 7U);  // 2 left
  EXPECT_EQ(after_success(fixed, 0), 5U);
  EXPECT_EQ(after_success(fixed, 14), 19U);
  EXPECT_EQ(after_success(fixed, 1), 20U);
  token_bucket const chosen{100, retry_costs{}, refund::last_cost(0), anew::payment::in_full, 50};
  EXPECT_EQ(after_success(chosen, 0), 50U);
  EXPECT_EQ(after_success(chosen, 14), 64U);
}

TEST(TokenBucketRefund, FixedIsTheSameAfterARetryAndWithoutOne) {
  token_bucket<100, retry_costs{}, refund::fixed(2)> const fixed;
  token_bucket const chosen{100, retry_costs{}, refund::fixed(2)};
  auto const check = [](auto const& bucket) {
    EXPECT_EQ(drain(bucket, error_kind::transient), 7U);  // 2 left
    EXPECT_EQ(after_success(bucket, 14), 4U);
    EXPECT_EQ(after_success(bucket, 0), 6U);
    bucket.release(14);  // a retry that was not made comes back whole
    EXPECT_EQ(bucket.balance(), 20U);
    for (int i = 0; i < 50; ++i) bucket.on_success(0);
    EXPECT_EQ(bucket.balance(), 100U);
  };
  check(fixed);
  check(chosen);
}

TEST(TokenBucketRefund, AFractionAddsUpExactly) {
  token_bucket<100, retry_costs{}, refund::fraction(3, 10)> const fixed;
  token_bucket const chosen{100, retry_costs{}, refund::fraction(3, 10)};
  auto const check = [](auto const& bucket) {
    auto const permit = bucket.try_acquire(failure{});
    EXPECT_EQ(bucket.balance(), 86U);
    bucket.release(*permit);
    EXPECT_EQ(bucket.balance(), 100U);
    EXPECT_EQ(drain(bucket, error_kind::transient), 7U);  // 2 left
    EXPECT_EQ(after_success(bucket, *permit), 2U);        // 2.3
    EXPECT_EQ(after_success(bucket, 0), 2U);              // 2.6
    EXPECT_EQ(after_success(bucket, 0), 2U);              // 2.9
    EXPECT_EQ(after_success(bucket, 0), 3U);              // 3.2
    for (int i = 0; i < 6; ++i) bucket.on_success(0);     // 5.0
    EXPECT_EQ(bucket.balance(), 5U);
    EXPECT_TRUE(bucket.try_acquire(of(error_kind::throttling)));
    EXPECT_EQ(bucket.balance(), 0U);
    for (int i = 0; i < 16; ++i) bucket.on_success(0);  // 4.8
    EXPECT_FALSE(bucket.try_acquire(of(error_kind::throttling)));
    bucket.on_success(0);  // 5.1
    EXPECT_TRUE(bucket.try_acquire(of(error_kind::throttling)));
    for (int i = 0; i < 400; ++i) bucket.on_success(0);
    EXPECT_EQ(bucket.balance(), 100U);
    EXPECT_EQ(bucket.capacity(), 100U);
  };
  check(fixed);
  check(chosen);
}

// awslabs/aws-c-io tests/standard_retry_test.c: what is left is paid, and only nothing is refused.
TEST(TokenBucketPayment, PartialPaysWhatIsLeft) {
  constexpr retry_costs costs{.transient = 10, .throttling = 5, .timeout = 10, .server = 5, .client = 5};
  token_bucket<15, costs, refund{}, payment::partial> const fixed;
  token_bucket const chosen{15, costs, refund{}, payment::partial};
  auto const check = [](auto const& bucket) {
    EXPECT_EQ(bucket.try_acquire(of(error_kind::transient)), 10U);
    EXPECT_EQ(bucket.try_acquire(of(error_kind::transient)), 5U);
    EXPECT_EQ(bucket.balance(), 0U);
    EXPECT_EQ(bucket.try_acquire(of(error_kind::server)), std::nullopt);
    for (int i = 0; i < 3; ++i) bucket.on_success(0);
    EXPECT_EQ(bucket.try_acquire(of(error_kind::server)), 3U);
    bucket.on_success(3);
    EXPECT_EQ(bucket.balance(), 3U);
  };
  check(fixed);
  check(chosen);
}

TEST(TokenBucket, StartsWithABalance) {
  token_bucket const bucket{100, retry_costs{}, 20};
  EXPECT_EQ(bucket.balance(), 20U);
  EXPECT_EQ(bucket.capacity(), 100U);
  EXPECT_EQ(bucket.try_acquire(anew::failure{}), 14U);
  EXPECT_EQ(bucket.try_acquire(anew::failure{}), std::nullopt);
  bucket.on_success(14);
  bucket.on_success(0);
  EXPECT_EQ(bucket.balance(), 21U);
  EXPECT_EQ((token_bucket{100, retry_costs{}, 0}.balance()), 0U);
  EXPECT_EQ((token_bucket{100, retry_costs{}, 100}.balance()), 100U);
  EXPECT_REJECTED((token_bucket{100, retry_costs{}, 101}),
                  "anew::token_bucket: balance must be between 0 and the capacity, but is 101 (capacity 100)");
  EXPECT_REJECTED((token_bucket{100, retry_costs{}, -1}),
                  "anew::token_bucket: balance must be between 0 and the capacity, but is -1 (capacity 100)");
  EXPECT_REJECTED((token_bucket{-1, retry_costs{}, 0}),
                  "anew::token_bucket: capacity must be between 0 and 4294967295, but is -1");
}

}  // namespace
}  // namespace quota_token_bucket_test
