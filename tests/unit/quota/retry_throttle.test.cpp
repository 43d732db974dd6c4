// SPDX-License-Identifier: BSL-1.0
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/quota/retry_throttle.hpp"

namespace quota_retry_throttle_test {
namespace {

using anew::error_kind;
using anew::failure;
using anew::rational;
using anew::retry_safety;
using anew::retry_throttle;

template <class Throttle>
void fail(Throttle const& throttle, int times) {
  for (int i = 0; i < times; ++i) throttle.on_attempt_failed(failure{});
}
template <class Throttle>
bool permits(Throttle const& throttle) {
  return throttle.try_acquire(failure{}).has_value();
}

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

using strategy = anew::strategy<retry_throttle<10>, anew::no_backoff, anew::max_attempts<4>, anew::retry_all>;

TEST(RetryThrottle, InAStrategyEachFailedAttemptCountsTheFirstToo) {
  strategy const s;
  EXPECT_FALSE(anew::retry(s, [] { return false; }));
  EXPECT_EQ(s.quota().balance(), 6U);  // four attempts
  int attempts = 0;
  EXPECT_FALSE(anew::retry(s, [&] {
    ++attempts;
    return false;
  }));
  EXPECT_EQ(attempts, 1);  // counted before it is decided: 5 is not above the half
  EXPECT_EQ(s.quota().balance(), 5U);
}

TEST(RetryThrottle, InAStrategyAFinalFailureDoesNotCount) {
  struct final_error {
    using role = anew::roles::classifier;
    [[nodiscard]] static anew::directive classify_result(int value) {
      return value == 1 ? anew::directive::fail() : anew::directive::retry(error_kind::server);
    }
  };
  auto const s = anew::compose(retry_throttle{10, rational{1, 10}}, final_error{}, anew::max_attempts<1>{});
  EXPECT_EQ(anew::retry(s, [] { return 1; }), 1);
  EXPECT_EQ(s.quota().balance(), 10U);
  EXPECT_EQ(anew::retry(s, [] { return 2; }), 2);
  EXPECT_EQ(s.quota().balance(), 9U);
}

// It drains where more than ratio/(1+ratio) of the attempts fail: 9.09 %, one in eleven.
TEST(RetryThrottle, DrainsAboveAShareOfFailures) {
  auto const refused_when_one_in = [](int attempts) {
    anew::strategy<retry_throttle<100>, anew::no_backoff, anew::max_attempts<4>, anew::retry_all> const s;
    int made = 0;
    int failed = 0;
    for (int call = 0; call < 10'000; ++call) failed += anew::retry(s, [&] { return ++made % attempts != 0; }) ? 0 : 1;
    return failed;
  };
  EXPECT_EQ(refused_when_one_in(12), 0);
  EXPECT_EQ(refused_when_one_in(11), 0);
  EXPECT_GT(refused_when_one_in(10), 50);
}

}  // namespace
}  // namespace quota_retry_throttle_test
