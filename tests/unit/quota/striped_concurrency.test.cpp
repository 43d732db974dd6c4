// SPDX-License-Identifier: BSL-1.0
#include <atomic>
#include <cstdint>
#include <semaphore>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/quota/concurrency_budget.hpp"
#include "anew/quota/striped.hpp"

#include "together.hpp"

namespace quota_striped_concurrency_test {
namespace {

using anew::concurrency_budget;
using anew::failure;
using anew::striped;

static_assert(anew::Quota<striped<concurrency_budget<>>>);
static_assert(anew::detail::CountsCallsUnderWay<striped<concurrency_budget<>>>);
static_assert(!std::is_copy_constructible_v<striped<concurrency_budget<>>>);
static_assert(sizeof(striped<concurrency_budget<>>) == 576);
static_assert(striped<concurrency_budget<>>::is_sound && !striped<concurrency_budget<101>>::is_sound);

TEST(StripedConcurrency, TakesValuesKnownAtRunTime) {
  EXPECT_EQ((striped<concurrency_budget<>>{}.describe()), "striped(concurrency_budget(20%,3))");
  striped const budget{concurrency_budget{10, 2}};
  EXPECT_EQ(budget.policy().capacity(), 2U);
}

TEST(StripedConcurrency, GoesOnWithWhatThePlainBudgetCounted) {
  concurrency_budget plain{10, 2};
  for (int i = 0; i < 50; ++i) plain.on_call();
  auto const permit = plain.try_acquire(failure{});
  striped budget{std::move(plain)};
  EXPECT_EQ(budget.policy().calls(), 50U);
  EXPECT_EQ(budget.policy().retries(), 1U);
  EXPECT_EQ(budget.policy().balance(), 4U);
  budget.release(*permit);
  striped const moved{std::move(budget)};
  EXPECT_EQ(moved.policy().calls(), 50U);
  EXPECT_EQ(moved.policy().retries(), 0U);
}

TEST(StripedConcurrency, APermitComesBackHoweverTheRetryEnds) {
  striped<concurrency_budget<20, 3>> const budget;
  auto const a = budget.try_acquire(failure{});
  auto const b = budget.try_acquire(failure{});
  auto const c = budget.try_acquire(failure{});
  EXPECT_FALSE(budget.try_acquire(failure{}));
  budget.on_success(*a);
  EXPECT_EQ(budget.policy().retries(), 2U);
  budget.on_failure(*b);
  EXPECT_EQ(budget.policy().retries(), 1U);
  budget.release(*c);
  budget.on_success(0);  // a call that made no retry
  EXPECT_EQ(budget.policy().retries(), 0U);
}

TEST(StripedConcurrency, InAStrategyEverythingComesBack) {
  anew::strategy<striped<concurrency_budget<100, 0>>, anew::no_backoff, anew::max_attempts<3>, anew::retry_all> const s;
  int attempts = 0;
  EXPECT_TRUE(anew::retry(s, [&] {
    EXPECT_EQ(s.quota().policy().calls(), 1U);
    EXPECT_EQ(s.quota().policy().retries(), attempts == 0 ? 0U : 1U);
    return ++attempts == 3;
  }));
  EXPECT_EQ(s.quota().policy().calls(), 0U);
  EXPECT_EQ(s.quota().policy().retries(), 0U);
}

// The least number is granted without a look at the calls, and is still a least number.
TEST(StripedConcurrency, TheLargestLeastNumberDoesNotWrapAround) {
  striped const budget{concurrency_budget{100, std::int64_t{4294967295}}};
  for (int i = 0; i < 3; ++i) budget.on_call();
  auto const permit = budget.try_acquire(failure{});
  EXPECT_EQ(budget.policy().balance(), 4294967294U);
  budget.release(*permit);
  EXPECT_EQ(budget.policy().calls(), 3U);
}

/// A budget and its striped form, which are told and asked the same by threads that begin and end. A call may end on
/// another thread than the one that it began on.
void follow(std::uint64_t seed, int percent, int least) {
  concurrency_budget const plain{percent, least};
  striped<decltype(concurrency_budget{20, 3}), 3> const counted{percent, least};
  anew::generator dice{seed, 9};
  unsigned calls = 0;
  unsigned retries = 0;
  auto const shares_of_begun = 300 + dice() % 400;
  for (int thread = 0; thread < 40; ++thread) {
    std::thread{[&] {
      for (int step = 0; step < 60; ++step) {
        switch (dice() % 4) {
          case 0:
          case 1:
            if (dice() % 1000 < shares_of_begun) {
              plain.on_call();
              counted.on_call();
              ++calls;
            } else if (calls != 0) {
              plain.on_call_end();
              counted.on_call_end();
              --calls;
            }
            break;
          case 2: {
            auto const permit = plain.try_acquire(failure{});
            ASSERT_EQ(permit, counted.try_acquire(failure{}));
            retries += permit ? 1U : 0U;
            break;
          }
          default:
            if (retries == 0) break;
            --retries;
            plain.release(1);
            counted.release(1);
        }
        ASSERT_EQ(counted.policy().calls(), calls);
        ASSERT_EQ(counted.policy().retries(), retries);
        ASSERT_EQ(counted.policy().capacity(), plain.capacity());
        ASSERT_EQ(counted.policy().balance(), plain.balance());
      }
    }}.join();
  }
}

TEST(StripedConcurrency, DecidesAsThePlainBudget) {
  anew::generator dice{5, 5};
  for (std::uint64_t seed = 0; seed < 60 && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE(seed);
    follow(seed, static_cast<int>(dice() % 101), static_cast<int>(dice() % 5));
  }
}

// At most two calls are ever under way, and each allows a retry. A count that took a call that has ended for one that is
// under way would allow a third.
TEST(StripedConcurrency, NeverMoreThanTheShareOfTheCallsUnderWay) {
  striped<concurrency_budget<100, 0>, 4> const budget;
  std::counting_semaphore<2> room{2};
  std::atomic<int> out{0};
  std::atomic<int> exceeded{0};
  std::atomic<int> granted{0};
  for (unsigned round = 0; round < 10; ++round) {
    support::together(4, [&](unsigned index) {
      anew::generator dice{index, round};
      for (int n = 0; n < 2'000; ++n) {
        room.acquire();
        budget.on_call();
        unsigned held = 0;
        for (auto asked = dice() % 4; asked != 0; --asked) {
          if (!budget.try_acquire(failure{})) continue;
          ++held;
          granted.fetch_add(1, std::memory_order_relaxed);
          if (out.fetch_add(1) >= 2) exceeded.fetch_add(1);
        }
        for (; held != 0; --held) {
          out.fetch_sub(1);
          budget.release(1);
        }
        budget.on_call_end();
        room.release();
      }
    });
    EXPECT_EQ(budget.policy().calls(), 0U);
    EXPECT_EQ(budget.policy().retries(), 0U);
  }
  EXPECT_EQ(exceeded.load(), 0);
  EXPECT_GT(granted.load(), 1'000);
}

}  // namespace
}  // namespace quota_striped_concurrency_test
