// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/quota/long_poll.hpp"
#include "anew/policies/quota/retry_throttle.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/policies/sharing/shared.hpp"

#include "names.hpp"
#include "rejection.hpp"

namespace quota_token_bucket_test {
namespace {

using namespace anew;

constexpr failure of(error_kind kind) { return {.kind = kind}; }

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

TEST(TokenBucket, ARefusalTakesNothingAndACheaperRetryMayFollow) {
  token_bucket<18> const bucket;
  EXPECT_TRUE(bucket.try_acquire(of(error_kind::transient)));
  EXPECT_FALSE(bucket.try_acquire(of(error_kind::throttling)));
  EXPECT_EQ(bucket.balance(), 4U);
  bucket.release(1);
  EXPECT_TRUE(bucket.try_acquire(of(error_kind::throttling)));
  EXPECT_EQ(bucket.balance(), 0U);
}

TEST(TokenBucket, IsNeverFullerThanItsCapacity) {
  token_bucket<20> const bucket;
  bucket.on_success(0);
  bucket.release(14);
  EXPECT_EQ(bucket.balance(), 20U);
  auto const permit = bucket.try_acquire(of(error_kind::throttling));
  bucket.release(*permit + 1);
  EXPECT_EQ(bucket.balance(), 20U);
  (void)bucket.try_acquire(of(error_kind::throttling));
  bucket.release(4294967295U);  // where a sum would wrap around
  EXPECT_EQ(bucket.balance(), 20U);
}

TEST(TokenBucket, TheLargestOneDoesNotWrapAroundAndOneOfNothingGrantsNothing) {
  token_bucket<4294967295> const largest;
  (void)largest.try_acquire(failure{});
  largest.release(4294967295U);
  EXPECT_EQ(largest.balance(), 4294967295U);
  token_bucket<0> const nothing;
  EXPECT_FALSE(nothing.try_acquire(of(error_kind::throttling)).has_value());
  nothing.on_success(0);
  nothing.release(5);
  EXPECT_EQ(nothing.balance(), 0U);
}

TEST(TokenBucket, MovesWithItsBalanceAndItsCostsAndLeavesNothing) {
  token_bucket from{100, retry_costs{.transient = 7}};
  (void)from.try_acquire(failure{});
  token_bucket const to{std::move(from)};
  EXPECT_EQ(to.balance(), 93U);
  EXPECT_EQ(to.capacity(), 100U);
  EXPECT_EQ(to.try_acquire(failure{}), 7U);
  EXPECT_EQ(from.balance(), 0U);  // NOLINT(*-use-after-move)
  EXPECT_FALSE(from.try_acquire(failure{}));
}

TEST(TokenBucket, MayHoldLessThanARetryCosts) {
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

/// Numbers of the type and of the object answer alike: what is granted for a kind, what a success gives to whom held so
/// many, what comes back; and what is left after it.
struct step {
  enum { acquire, succeed, release } what;
  std::uint32_t times;
  std::uint32_t number;  // the kind, or what was held
  std::optional<std::uint32_t> granted;
  std::uint32_t left;
};
void follow(std::initializer_list<step> steps, auto const&... buckets) {
  auto const check = [&](auto const& bucket) {
    for (int row = 0; auto const& s : steps) {
      SCOPED_TRACE(row++);
      for (std::uint32_t i = 0; i < s.times; ++i) {
        if (s.what == step::acquire) {
          EXPECT_EQ(bucket.try_acquire(of(static_cast<error_kind>(s.number))), s.granted);
        } else {
          s.what == step::succeed ? bucket.on_success(s.number) : bucket.release(s.number);
        }
      }
      EXPECT_EQ(bucket.balance(), s.left);
    }
  };
  (check(buckets), ...);
}
constexpr auto transient = static_cast<std::uint32_t>(error_kind::transient);
constexpr auto throttling = static_cast<std::uint32_t>(error_kind::throttling);
constexpr auto server = static_cast<std::uint32_t>(error_kind::server);
step acquire(std::uint32_t times, std::uint32_t kind, std::optional<std::uint32_t> granted, std::uint32_t left) {
  return {step::acquire, times, kind, granted, left};
}
step succeed(std::uint32_t times, std::uint32_t held, std::uint32_t left) {
  return {step::succeed, times, held, {}, left};
}
step release(std::uint32_t times, std::uint32_t held, std::uint32_t left) {
  return {step::release, times, held, {}, left};
}

TEST(TokenBucket, PaysAndIsPaidBack) {
  follow({acquire(1, transient, 14, 0)}, token_bucket<14>{});
  follow({acquire(1, transient, {}, 13)}, token_bucket{14, retry_costs{}, 13});
  // A success gives back what the last retry paid, or one.
  follow({acquire(2, transient, 14, 72), succeed(1, 14, 86), succeed(1, 0, 87), succeed(1, 1, 88)}, token_bucket<100>{},
         token_bucket{100});
  follow({acquire(7, transient, 14, 2), succeed(1, 0, 5), succeed(1, 14, 19), succeed(1, 1, 20)},
         token_bucket<100, retry_costs{}, refund::last_cost(3)>{},
         token_bucket{100, retry_costs{}, refund::last_cost(3)});
  follow({succeed(1, 0, 50), succeed(1, 14, 64)},
         token_bucket{100, retry_costs{}, refund::last_cost(0), payment::in_full, 50});
  // A fixed refund is the same after a retry and without one; a retry that was not made comes back whole.
  follow({acquire(7, transient, 14, 2), succeed(1, 14, 4), succeed(1, 0, 6), release(1, 14, 20), succeed(50, 0, 100)},
         token_bucket<100, retry_costs{}, refund::fixed(2)>{}, token_bucket{100, retry_costs{}, refund::fixed(2)});
  // A fraction adds up exactly: 2.3, 2.9, 3.2, 5; 4.8, 5.1. Permits have its tenths.
  follow({acquire(1, transient, 140, 86), release(1, 140, 100), acquire(7, transient, 140, 2), succeed(1, 140, 2),
          succeed(2, 0, 2), succeed(1, 0, 3), succeed(6, 0, 5), acquire(1, throttling, 50, 0), succeed(16, 0, 4),
          acquire(1, throttling, {}, 4), succeed(1, 0, 5), acquire(1, throttling, 50, 0), succeed(400, 0, 100)},
         token_bucket<100, retry_costs{}, refund::fraction(3, 10)>{},
         token_bucket{100, retry_costs{}, refund::fraction(3, 10)});
  // The legacy mode of the SDK for Java: a retry after throttling is free, and a success after it gives one.
  constexpr retry_costs free_throttling{.transient = 5, .throttling = 0};
  follow({acquire(20, server, 5, 0), acquire(1, server, {}, 0), acquire(1000, throttling, 0, 0), release(1, 0, 0),
          succeed(1, 0, 1)},
         token_bucket<100, free_throttling>{}, token_bucket{100, free_throttling});
  // awslabs/aws-c-io tests/standard_retry_test.c: what is left is paid, and only nothing is refused.
  constexpr retry_costs c_io{.transient = 10, .throttling = 5, .timeout = 10, .server = 5, .client = 5};
  follow({acquire(1, transient, 10, 5), acquire(1, transient, 5, 0), acquire(1, server, {}, 0), succeed(3, 0, 3),
          acquire(1, server, 3, 0), succeed(1, 3, 3)},
         token_bucket<15, c_io, refund{}, payment::partial>{}, token_bucket{15, c_io, refund{}, payment::partial});
}

TEST(TokenBucket, StartsWithABalance) {
  token_bucket const bucket{100, retry_costs{}, 20};
  EXPECT_EQ(bucket.balance(), 20U);
  EXPECT_EQ(bucket.capacity(), 100U);
  EXPECT_EQ(bucket.try_acquire(failure{}), 14U);
  EXPECT_EQ(bucket.try_acquire(failure{}), std::nullopt);
  bucket.on_success(14);
  bucket.on_success(0);
  EXPECT_EQ(bucket.balance(), 21U);
  EXPECT_EQ((token_bucket{100, retry_costs{}, 0}.balance()), 0U);
  EXPECT_EQ((token_bucket{100, retry_costs{}, 100}.balance()), 100U);
  EXPECT_EQ(token_bucket<>{}.balance(), 500U);
  EXPECT_REJECTED((token_bucket{100, retry_costs{}, 101}),
                  "anew::token_bucket: balance must be between 0 and the capacity, but is 101 (capacity 100)");
  EXPECT_REJECTED((token_bucket{100, retry_costs{}, -1}),
                  "anew::token_bucket: balance must be between 0 and the capacity, but is -1 (capacity 100)");
  EXPECT_REJECTED((token_bucket{-1, retry_costs{}, 0}),
                  "anew::token_bucket: capacity must be between 0 and 4294967295, but is -1");
}

void fail(auto const& throttle, int times) {
  for (int i = 0; i < times; ++i) throttle.on_attempt_failed(failure{});
}
bool permits(auto const& throttle) { return throttle.try_acquire(failure{}).has_value(); }

static_assert(anew::Quota<retry_throttle<>> && sizeof(retry_throttle<>) == 4);

TEST(RetryThrottle, PermitsRetriesAboveItsHalfOnly) {
  retry_throttle<10> const throttle;
  fail(throttle, 4);
  EXPECT_TRUE(permits(throttle));
  fail(throttle, 1);
  EXPECT_EQ(throttle.balance(), 5U);
  EXPECT_FALSE(permits(throttle));
  throttle.on_success({});
  EXPECT_TRUE(permits(throttle));  // 5.1
  retry_throttle<5> const odd;
  fail(odd, 2);
  EXPECT_TRUE(permits(odd));  // 3 of 5
  fail(odd, 1);
  EXPECT_FALSE(permits(odd));
}

TEST(RetryThrottle, IsNeverBelowZeroNorAboveItsTokens) {
  retry_throttle<10, rational{3, 10}> const throttle;
  throttle.on_success({});
  EXPECT_EQ(throttle.balance(), 10U);
  fail(throttle, 1);
  for (int i = 0; i < 3; ++i) throttle.on_success({});
  EXPECT_EQ(throttle.balance(), 9U);  // 9.9
  throttle.on_success({});
  EXPECT_EQ(throttle.balance(), 10U);
  fail(throttle, 1);
  EXPECT_EQ(throttle.balance(), 9U);  // and not 9.2
  throttle.on_success({});
  fail(throttle, 100);
  EXPECT_EQ(throttle.balance(), 0U);
  for (int i = 0; i < 16; ++i) throttle.on_success({});
  EXPECT_FALSE(permits(throttle));  // 4.8
  throttle.on_success({});
  EXPECT_TRUE(permits(throttle));
}

TEST(RetryThrottle, AFinalFaultOfTheCallerDoesNotCount) {
  retry_throttle<10> const throttle;
  throttle.on_attempt_failed({.kind = error_kind::client, .safety = retry_safety::no});
  EXPECT_EQ(throttle.balance(), 10U);
  throttle.on_attempt_failed({.kind = error_kind::client});
  EXPECT_EQ(throttle.balance(), 9U);
  throttle.on_attempt_failed({.kind = error_kind::server, .safety = retry_safety::no});
  EXPECT_EQ(throttle.balance(), 8U);
}

TEST(RetryThrottle, StartsFullAndMovesWithEverything) {
  EXPECT_EQ(retry_throttle<>{}.balance(), 100U);
  EXPECT_TRUE(permits(retry_throttle<1>{}));
  retry_throttle chosen{10, rational{1, 2}};
  fail(chosen, 3);
  retry_throttle const moved{std::move(chosen)};
  EXPECT_TRUE(permits(moved));
  moved.release({});
  EXPECT_EQ(moved.balance(), 7U);
  EXPECT_EQ(moved.capacity(), 10U);
  moved.on_success({});
  moved.on_success({});
  EXPECT_EQ(moved.balance(), 8U);
}

using strategy = anew::strategy<retry_throttle<10>, no_backoff, max_attempts<4>, retry_all>;

TEST(RetryThrottle, InAStrategyEachFailedAttemptCountsTheFirstToo) {
  strategy const s;
  EXPECT_FALSE(retry(s, [] { return false; }));
  EXPECT_EQ(s.quota().balance(), 6U);  // four attempts
  int attempts = 0;
  EXPECT_FALSE(retry(s, [&] { return ++attempts, false; }));
  EXPECT_EQ(attempts, 1);  // counted before it is decided: 5 is not above the half
  EXPECT_EQ(s.quota().balance(), 5U);
}

TEST(RetryThrottle, InAStrategyAFinalFailureDoesNotCount) {
  struct final_error {
    using role = roles::classifier;
    [[nodiscard]] static directive classify_result(int value) {
      return value == 1 ? directive::fail() : directive::retry(error_kind::server);
    }
  };
  auto const s = compose(retry_throttle{10, rational{1, 10}}, final_error{}, max_attempts<1>{});
  EXPECT_EQ(retry(s, [] { return 1; }), 1);
  EXPECT_EQ(s.quota().balance(), 10U);
  EXPECT_EQ(retry(s, [] { return 2; }), 2);
  EXPECT_EQ(s.quota().balance(), 9U);
}

// What a call makes of a quota that waits before a refusal is told in the stories "the last wait".

static_assert(anew::Quota<long_poll<>> && sizeof(long_poll<token_bucket<500>>) == sizeof(token_bucket<500>));
static_assert(detail::WaitsBeforeRefusal<shared<long_poll<>>>);
static_assert(!detail::WaitsBeforeRefusal<shared<token_bucket<500>>>);

auto polling(auto quota) {
  return compose(exponential_backoff<50ms, 20s>{}, no_jitter{}, retry_all{}, std::move(quota));
}

TEST(LongPoll, ALoopOfOnesOwnIsToldHowLong) {
  auto const s = polling(long_poll<token_bucket<0>>{});
  auto const answer = s.refresh_retry_token(s.acquire_initial_token(), failure{});
  EXPECT_EQ(answer.reason(), stop_reason::quota);
  EXPECT_EQ(answer.wait_before_end(), 50ms);
  auto const plain = polling(token_bucket<0>{});
  EXPECT_EQ(plain.refresh_retry_token(plain.acquire_initial_token(), failure{}).wait_before_end(), 0s);
}

TEST(LongPoll, SpendsAndGivesBackAsTheQuotaInside) {
  auto const s = polling(long_poll{token_bucket{100}});
  int calls = 0;
  EXPECT_TRUE(retry(s, [&] { return ++calls == 2; }, [](duration) {}));
  EXPECT_EQ(s.quota().policy().balance(), 100U);
  EXPECT_FALSE(retry(s, [] { return false; }, [](duration) {}));
  EXPECT_EQ(s.quota().policy().balance(), 72U);
  EXPECT_EQ(describe(s),
            "exponential(50ms,20s) no_jitter long_poll(token_bucket(100)) retry_all max_attempts(3) server_hint(stop)");
}

}  // namespace
}  // namespace quota_token_bucket_test
