// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cstdint>
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/quota/concurrency_budget.hpp"

namespace quota_concurrency_budget_test {
namespace {

using anew::concurrency_budget;
using anew::failure;

template <class Budget>
unsigned drain(Budget const& budget) {
  unsigned granted = 0;
  while (budget.try_acquire(failure{})) ++granted;
  return granted;
}
template <class Budget>
void begin_calls(Budget const& budget, int count) {
  for (int i = 0; i < count; ++i) budget.on_call();
}

static_assert(anew::Quota<concurrency_budget<>> && anew::detail::CountsCallsUnderWay<concurrency_budget<>>);
static_assert(sizeof(concurrency_budget<>) == 8);

static_assert(anew::concurrency_budget<100, 0>::is_sound && anew::concurrency_budget<0, 0>::is_sound);
static_assert(!anew::concurrency_budget<101, 0>::is_sound && !anew::concurrency_budget<-1, 0>::is_sound);

TEST(ConcurrencyBudget, GrantsAShareOfTheCallsUnderWay) {
  auto const granted = [](int calls) {
    concurrency_budget<20, 3> const budget;
    begin_calls(budget, calls);
    EXPECT_EQ(budget.balance(), budget.capacity());
    auto const count = drain(budget);
    EXPECT_EQ(count, budget.capacity());
    EXPECT_EQ(budget.balance(), 0U);
    return count;
  };
  EXPECT_EQ(granted(0), 3U);
  EXPECT_EQ(granted(1), 3U);
  EXPECT_EQ(granted(15), 3U);
  EXPECT_EQ(granted(19), 3U);
  EXPECT_EQ(granted(20), 4U);
  EXPECT_EQ(granted(24), 4U);
  EXPECT_EQ(granted(25), 5U);
  EXPECT_EQ(granted(1000), 200U);
}

TEST(ConcurrencyBudget, WithoutALeastNumberSmallClientsDoNotRetry) {
  concurrency_budget const budget{20, 0};
  begin_calls(budget, 4);
  EXPECT_EQ(drain(budget), 0U);
  begin_calls(budget, 1);
  EXPECT_EQ(drain(budget), 1U);
  EXPECT_EQ(drain(concurrency_budget<0, 0>{}), 0U);
  EXPECT_EQ(drain(concurrency_budget<100, 1>{}), 1U);
}

TEST(ConcurrencyBudget, APermitComesBackHoweverTheRetryEnds) {
  concurrency_budget<20, 3> const budget;
  auto const a = budget.try_acquire(failure{});
  auto const b = budget.try_acquire(failure{});
  auto const c = budget.try_acquire(failure{});
  EXPECT_FALSE(budget.try_acquire(failure{}));
  EXPECT_EQ(budget.retries(), 3U);
  budget.on_success(*a);
  EXPECT_EQ(budget.retries(), 2U);
  budget.on_failure(*b);
  EXPECT_EQ(budget.retries(), 1U);
  budget.release(*c);
  EXPECT_EQ(budget.retries(), 0U);
  budget.on_success(0);  // a call that made no retry
  EXPECT_EQ(budget.retries(), 0U);
  EXPECT_EQ(budget.calls(), 0U);
}

TEST(ConcurrencyBudget, WhenCallsEndTheRetriesUnderWayStay) {
  concurrency_budget<50, 1> const budget;
  begin_calls(budget, 10);
  EXPECT_EQ(drain(budget), 5U);
  for (int i = 0; i < 9; ++i) budget.on_call_end();
  EXPECT_EQ(budget.calls(), 1U);
  EXPECT_EQ(budget.retries(), 5U);
  EXPECT_EQ(budget.capacity(), 1U);
  EXPECT_EQ(budget.balance(), 0U);
  for (int i = 0; i < 4; ++i) budget.release(1);
  EXPECT_FALSE(budget.try_acquire(failure{}));
  budget.release(1);
  EXPECT_TRUE(budget.try_acquire(failure{}));
}

TEST(ConcurrencyBudget, TheLargestLeastNumberDoesNotWrapAround) {
  concurrency_budget const budget{100, std::int64_t{4294967295}};
  begin_calls(budget, 3);
  EXPECT_EQ(budget.balance(), 4294967295U);
  auto const permit = budget.try_acquire(failure{});
  EXPECT_EQ(budget.balance(), 4294967294U);
  EXPECT_EQ(budget.calls(), 3U);
  budget.release(*permit);
  EXPECT_EQ(budget.calls(), 3U);
}

using strategy = anew::strategy<concurrency_budget<20, 1>, anew::no_backoff, anew::max_attempts<3>, anew::retry_all>;

// Held from when it is planned, through backoff and attempt, to the decision about the next one.
TEST(ConcurrencyBudget, InAStrategyARetryHoldsItsPermitThroughBackoffAndAttempt) {
  strategy const s;
  {
    auto token = s.acquire_initial_token();
    EXPECT_EQ(s.quota().calls(), 1U);
    auto next = s.refresh_retry_token(std::move(token), failure{});
    ASSERT_TRUE(next.has_value());
    EXPECT_EQ(s.quota().retries(), 1U);
    EXPECT_EQ(s.quota().calls(), 1U);
    auto refused = s.refresh_retry_token(s.acquire_initial_token(), failure{});
    EXPECT_EQ(refused.reason(), anew::stop_reason::quota);
    EXPECT_EQ(s.quota().calls(), 1U);
    auto third = s.refresh_retry_token(*std::move(next), failure{});  // its own permit makes room
    ASSERT_TRUE(third.has_value());
    EXPECT_EQ(s.quota().retries(), 1U);
    EXPECT_EQ(s.refresh_retry_token(*std::move(third), failure{}).reason(), anew::stop_reason::attempts);
    EXPECT_EQ(s.quota().retries(), 0U);
  }
  EXPECT_EQ(s.quota().calls(), 0U);
}

TEST(ConcurrencyBudget, InAStrategyEverythingComesBack) {
  strategy const s;
  unsigned most_calls = 0;
  unsigned most_retries = 0;
  auto const fail_times = [&](int failures) {
    return anew::retry(s, [&, made = 0]() mutable {
      most_calls = std::max(most_calls, s.quota().calls());
      most_retries = std::max(most_retries, s.quota().retries());
      return made++ >= failures;
    });
  };
  EXPECT_TRUE(fail_times(0));
  EXPECT_EQ(most_calls, 1U);
  EXPECT_EQ(most_retries, 0U);
  EXPECT_TRUE(fail_times(2));
  EXPECT_FALSE(fail_times(3));
  EXPECT_EQ(most_calls, 1U);
  EXPECT_EQ(most_retries, 1U);
  EXPECT_EQ(s.quota().calls(), 0U);
  EXPECT_EQ(s.quota().retries(), 0U);
  {
    auto abandoned = s.refresh_retry_token(s.acquire_initial_token(), failure{});
    EXPECT_EQ(s.quota().retries(), 1U);
  }
  EXPECT_EQ(s.quota().calls(), 0U);
  EXPECT_EQ(s.quota().retries(), 0U);
}

TEST(ConcurrencyBudget, MovesWithEverything) {
  concurrency_budget chosen{10, 2};
  begin_calls(chosen, 50);
  static_cast<void>(chosen.try_acquire(failure{}));
  concurrency_budget const moved{std::move(chosen)};
  EXPECT_EQ(moved.calls(), 50U);
  EXPECT_EQ(moved.retries(), 1U);
  EXPECT_EQ(moved.capacity(), 5U);
}

}  // namespace
}  // namespace quota_concurrency_budget_test
