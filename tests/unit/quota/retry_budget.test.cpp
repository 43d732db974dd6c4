// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/quota/retry_budget.hpp"

#include "budget_support.hpp"
#include "names.hpp"

namespace quota_retry_budget_test {
namespace {

using anew::retry_budget;
using support::call;
using support::drain;

constexpr time_point start{1000s};

static_assert(anew::Quota<retry_budget<>>);
static_assert(anew::detail::CountsCalls<retry_budget<>> && !anew::detail::CountsCallsUnderWay<retry_budget<>>);
static_assert(sizeof(retry_budget<>) == 184);

using no_floor = retry_budget<20, 0, 10s>;

TEST(RetryBudget, BeginsWithItsFloorAtAnyTime) {
  for (auto const now : {start, time_point{}, time_point{-5s}, time_point::min(), time_point::max()}) {
    retry_budget<> const budget;
    EXPECT_EQ(budget.capacity(), 100U);
    EXPECT_EQ(budget.balance(now), 100U);
    EXPECT_EQ(drain(budget, now), 100U);
    EXPECT_EQ(budget.balance(now), 0U);
  }
  EXPECT_EQ((retry_budget<20, 3, 1500ms>{}.capacity()), 4U);  // 4.5
}

TEST(RetryBudget, AnyPercentage) {
  for (auto const& [percent, retries] :
       {std::pair{0, 0U}, {1, 10U}, {20, 200U}, {33, 330U}, {100, 1000U}, {1000, 10'000U}}) {
    retry_budget const budget{percent, 0, 10s};
    call(budget, start, 1000);
    EXPECT_EQ(drain(budget, start), retries) << percent;
  }
}

TEST(RetryBudget, WhatExpiredDoesNotComeBackTwice) {
  retry_budget<20, 1, 10s> const budget;
  auto const permit = budget.try_acquire(failure{}, start);
  EXPECT_EQ(budget.balance(start + 9s), 9U);
  EXPECT_EQ(budget.balance(start + 10s), 10U);
  budget.release(*permit);
  EXPECT_EQ(budget.balance(start + 10s), 10U);

  auto const before_a_pause = budget.try_acquire(failure{}, start + 10s);
  EXPECT_EQ(budget.balance(start + 1h), 10U);
  budget.release(*before_a_pause);
  EXPECT_EQ(budget.balance(start + 1h), 10U);
}

TEST(RetryBudget, WithinTheWindowItComesBackLate) {
  retry_budget<20, 1, 10s> const budget;
  auto const permit = budget.try_acquire(failure{}, start);
  call(budget, start + 9s, 5);
  budget.release(*permit);
  EXPECT_EQ(budget.balance(start + 9s), 11U);
  EXPECT_EQ(budget.balance(start + 10s), 11U);
  EXPECT_EQ(budget.balance(start + 19s), 10U);
}

TEST(RetryBudget, TenthsAreAsLongBeforeTimeZero) {
  retry_budget<100, 0, 1s> const budget;
  call(budget, time_point{-1500ms - 1ns}, 1);
  EXPECT_EQ(budget.balance(time_point{-600ms - 1ns}), 1U);
  EXPECT_EQ(budget.balance(time_point{-600ms}), 0U);
}

TEST(RetryBudget, TimeThatGoesBackIsNoTime) {
  no_floor const budget;
  call(budget, start, 5);
  EXPECT_EQ(budget.balance(start - 1h), 1U);
  EXPECT_EQ(drain(budget, start - 1h), 1U);
  call(budget, start - 20s, 5);  // late by more than the window
  EXPECT_EQ(budget.balance(start), 0U);
  call(budget, start - 5s, 5);
  EXPECT_EQ(budget.balance(start), 1U);
  EXPECT_EQ(budget.balance(start + 5s - 1ns), 1U);
  EXPECT_EQ(budget.balance(start + 5s), 0U);
  EXPECT_EQ(drain(budget, start - 1h), 1U);
}

// Where a number of 28 bits would begin again.
TEST(RetryBudget, TheNumbersOfTheTenthsGoOn) {
  constexpr auto tenths = std::int64_t{1} << 28U;
  for (int before = 0; before < 24; ++before) {
    retry_budget<100, 1, 1s> const budget;
    time_point now{100ms * (tenths - before)};
    call(budget, now, 7);
    EXPECT_EQ(budget.balance(now), 8U) << before;
    for (int i = 0; i < 30; ++i) {
      now += 100ms;
      if (i == 2) call(budget, now, 5);
      static_cast<void>(budget.balance(now));
    }
    EXPECT_EQ(budget.balance(now), 1U) << before;
    EXPECT_EQ(drain(budget, now), 1U);
  }
}

// A permit has 31 bits of the number of its tenth, and time goes on by as many tenths and more while it is out.
TEST(RetryBudget, ALongForgottenPermitGivesNothingBack) {
  for (unsigned bits = 4; bits < 31; ++bits) {
    retry_budget<0, 2, 1s> const quota;
    auto const permit = quota.try_acquire(failure{}, start);
    auto const later = start + 100ms * (std::int64_t{1} << bits);
    ASSERT_EQ(drain(quota, later), 2U);
    quota.release(*permit);
    EXPECT_EQ(quota.balance(later), 0U) << bits;
  }
}

TEST(RetryBudget, MovesWithEverything) {
  retry_budget chosen{50, 2, 5s};
  call(chosen, start, 4);
  static_cast<void>(chosen.try_acquire(failure{}, start));
  retry_budget const moved{std::move(chosen)};
  EXPECT_EQ(moved.balance(start), 11U);
  EXPECT_EQ(moved.capacity(), 10U);
  EXPECT_EQ(moved.balance(start + 5s), 10U);
}

}  // namespace
}  // namespace quota_retry_budget_test
