// SPDX-License-Identifier: BSL-1.0
#include <cstdint>
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/quota/concurrency_budget.hpp"

#include "budget_support.hpp"
#include "names.hpp"

namespace quota_concurrency_budget_test {
namespace {

using anew::concurrency_budget;
using support::call, support::drain;

static_assert(anew::Quota<concurrency_budget<>> && anew::detail::CountsCallsUnderWay<concurrency_budget<>>);
static_assert(sizeof(concurrency_budget<>) == 8);

TEST(ConcurrencyBudget, GrantsAShareOfTheCallsUnderWay) {
  struct row {
    int percent, least;
    unsigned calls, retries;
  };
  for (auto const& [percent, least, calls, retries] :
       {row{20, 3, 0, 3}, row{20, 3, 15, 3}, row{20, 3, 19, 3}, row{20, 3, 20, 4}, row{20, 3, 24, 4}, row{20, 3, 25, 5},
        row{20, 3, 1000, 200}, row{20, 0, 4, 0}, row{20, 0, 5, 1}, row{0, 0, 9, 0}, row{100, 1, 0, 1}}) {
    concurrency_budget const budget{percent, least};
    call(budget, {}, calls);
    EXPECT_EQ(budget.balance(), retries) << calls;
    EXPECT_EQ(drain(budget), retries) << calls;
    EXPECT_EQ(budget.capacity(), retries) << calls;
    EXPECT_EQ(budget.balance(), 0U) << calls;
  }
}

TEST(ConcurrencyBudget, TheLargestLeastNumberDoesNotWrapAround) {
  concurrency_budget const budget{100, std::int64_t{4294967295}};
  call(budget, {}, 3);
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

TEST(ConcurrencyBudget, MovesWithEverything) {
  concurrency_budget chosen{10, 2};
  call(chosen, {}, 50);
  static_cast<void>(chosen.try_acquire(failure{}));
  concurrency_budget const moved{std::move(chosen)};
  EXPECT_EQ(moved.calls(), 50U);
  EXPECT_EQ(moved.retries(), 1U);
  EXPECT_EQ(moved.capacity(), 5U);
}

}  // namespace
}  // namespace quota_concurrency_budget_test
