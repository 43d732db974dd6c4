// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/process/retry_budget.hpp"
#include "anew/quota/retry_budget.hpp"
#include "anew/testing/manual_clock.hpp"

#include "budget_support.hpp"
#include "process_support.hpp"
#include "rejection.hpp"

namespace process_retry_budget_test {
namespace {

using namespace std::chrono_literals;
using anew::failure;
using anew::process::retry_budget;
using anew::time_point;
using support::call;
using support::drain;
using support::in_a_child;
using support::place_of_its_own;

static_assert(anew::Quota<retry_budget>);

constexpr time_point start{1000s};

TEST(ProcessRetryBudget, CallsOfAllProcessesAllowRetriesOfAll) {
  place_of_its_own const place;
  retry_budget const budget{place.path(), 20, 1, 10s};
  EXPECT_EQ(budget.capacity(), 10U);
  EXPECT_EQ(in_a_child([&] {
              retry_budget const there{place.path(), 20, 1, 10s};
              call(there, start, 50);
              return static_cast<int>(drain(there, start));
            }),
            20);
  EXPECT_EQ(budget.balance(start), 0U);
  EXPECT_EQ(drain(budget, start + 8s), 0U);
  EXPECT_EQ(in_a_child([&] { return static_cast<int>(drain(budget, start + 10s)); }), 10);  // all of it is over
  EXPECT_EQ(drain(budget, start + 10s), 0U);
}

TEST(ProcessRetryBudget, DecidesAsThePlainOne) {
  place_of_its_own const place;
  retry_budget const budget{place.path(), 30, 2, 3s};
  anew::retry_budget const plain{30, 2, 3s};
  anew::generator dice{1, 2};
  auto now = start;
  std::vector<std::uint32_t> held;
  for (int i = 0; i < 20'000; ++i) {
    auto const roll = dice();
    now += roll % 1000 == 0 ? 5s : std::chrono::milliseconds{roll % 64 == 0 ? 70 : 0};
    switch (roll >> 20U & 3U) {
      case 0:
      case 1:
        budget.on_call(now);
        plain.on_call(now);
        break;
      case 2: {
        auto const granted = budget.try_acquire(failure{}, now);
        ASSERT_EQ(granted, plain.try_acquire(failure{}, now));
        if (granted) held.push_back(*granted);
        break;
      }
      default:
        if (held.empty()) break;
        budget.release(held.back());
        plain.release(held.back());
        held.pop_back();
    }
    ASSERT_EQ(budget.balance(now), plain.balance(now));
  }
}

TEST(ProcessRetryBudget, InAStrategyItHasTheStrategysTime) {
  place_of_its_own const place;
  anew::testing::manual_clock const clock;
  auto const s = anew::compose(retry_budget{place.path(), 0, 1, 2s}, anew::no_backoff{}, anew::retry_all{},
                               anew::max_attempts<9>{}, clock);
  int attempts = 0;
  auto const request = [&attempts] {
    ++attempts;
    return false;
  };
  static_cast<void>(anew::retry(s, request));
  EXPECT_EQ(attempts, 3);
  static_cast<void>(anew::retry(s, request));
  EXPECT_EQ(attempts, 4);
  clock.advance(2s);
  static_cast<void>(anew::retry(s, request));
  EXPECT_EQ(attempts, 7);
  EXPECT_EQ(s.quota().describe(), "process(" + place.path() + ",retry_budget(0%,1/s,2s))");
}

TEST(ProcessRetryBudget, NumbersOfNoBudgetAreRefused) {
  place_of_its_own const place;
  EXPECT_REJECTED((retry_budget{place.path(), 1001, 1, 10s}),
                  "anew::retry_budget: percent must be between 0 and 1000, but is 1001");
  EXPECT_REJECTED((retry_budget{place.path(), 20, 100'001, 10s}),
                  "anew::retry_budget: retries a second must be between 0 and 100000, but is 100001");
  EXPECT_REJECTED((retry_budget{place.path(), 20, 1, 61s}),
                  "anew::retry_budget: window must be between 1s and 60s, but is 61s");
}

// Whatever stands in the file, no function goes on for ever.
TEST(ProcessRetryBudget, ContentsAreNotTrusted) {
  place_of_its_own const place;
  retry_budget const budget{place.path(), 20, 10, 10s};
  anew::detail::quota_mapping const other{place.path(), "retry_budget(20%,10/s,10s)", 0,
                                          anew::detail::all_kept_files()};
  auto* const words = static_cast<std::uint64_t*>(other.body());
  anew::generator dice{1, 3};
  constexpr std::uint64_t closed = std::uint64_t{1} << 25U;
  auto const number = anew::detail::counted_tenth::number_at(start, 1'000'000'000);
  for (int i = 0; i < 20'000; ++i) {
    for (int word = 0; word < 23; ++word) {
      auto const near = anew::detail::counted_tenth::empty(number + dice() % 32 - 16);
      auto const roll = dice();
      words[word] = roll % 4 == 0 ? dice() : roll % 4 == 1 ? 0 : near | (dice() & (closed | 3));
    }
    if (dice() % 2 == 0) words[22] = number + dice() % 32 - 16;
    auto const now = start + std::chrono::seconds{dice() % 20};
    budget.on_call(now);
    if (auto const permit = budget.try_acquire(failure{}, now)) budget.release(*permit);
    budget.release(static_cast<std::uint32_t>(dice()) | 1U);
    static_cast<void>(budget.balance(now));
  }
}

}  // namespace
}  // namespace process_retry_budget_test
