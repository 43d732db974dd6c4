// SPDX-License-Identifier: BSL-1.0
#include <unistd.h>

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/process/concurrency_budget.hpp"
#include "anew/sharing/shared.hpp"

#include "process_support.hpp"
#include "rejection.hpp"
#include "together.hpp"

namespace process_concurrency_budget_test {
namespace {

using anew::failure;
using anew::process::concurrency_budget;
using support::in_a_child;
using support::place_of_its_own;

static_assert(anew::Quota<concurrency_budget> && anew::detail::CountsCallsUnderWay<concurrency_budget>);
static_assert(anew::detail::CountsCallsUnderWay<anew::shared<concurrency_budget>>);

template <class Budget>
int drain(Budget const& budget) {
  int granted = 0;
  while (budget.try_acquire(failure{})) ++granted;
  return granted;
}

TEST(ProcessConcurrencyBudget, GrantsAShareOfTheCallsOfAllProcesses) {
  place_of_its_own const place;
  concurrency_budget const budget{place.path(), 20, 1};
  EXPECT_EQ(budget.capacity(), 1U);
  support::waiting_child caller{[&] {
    auto* const there = new concurrency_budget{place.path(), 20, 1};
    for (int i = 0; i < 25; ++i) there->on_call();
    return drain(*there) - 3;
  }};
  EXPECT_EQ(caller.answer(), 2);
  EXPECT_EQ(budget.calls(), 25U);
  EXPECT_EQ(budget.capacity(), 5U);
  EXPECT_EQ(budget.retries(), 5U);
  EXPECT_EQ(budget.balance(), 0U);
  EXPECT_FALSE(budget.try_acquire(failure{}));
  for (int i = 0; i < 5; ++i) budget.on_call();
  EXPECT_EQ(budget.balance(), 1U);
  EXPECT_EQ(drain(budget), 1);
}

TEST(ProcessConcurrencyBudget, CallsOfAStrategyReturnWhatTheyHold) {
  place_of_its_own const place;
  concurrency_budget const budget{place.path(), 0, 1};
  auto const s = anew::compose(budget, anew::no_backoff{}, anew::retry_all{}, anew::max_attempts<4>{});
  int attempts = 0;
  EXPECT_FALSE(anew::retry(s, [&] {
    EXPECT_EQ(budget.calls(), 1U);
    EXPECT_EQ(budget.retries(), attempts == 0 ? 0U : 1U);
    ++attempts;
    return false;
  }));
  EXPECT_EQ(attempts, 4);
  EXPECT_EQ(budget.calls(), 0U);
  EXPECT_EQ(budget.retries(), 0U);
  EXPECT_EQ(s.quota().describe(), "process(" + place.path() + ",concurrency_budget(0%,1))");
}

// A worker that a server forks makes calls through the strategy that it inherited, and is counted apart.
TEST(ProcessConcurrencyBudget, ForkedWorkersShareTheStrategyOfTheServer) {
  place_of_its_own const place;
  auto const s = anew::compose(concurrency_budget{place.path(), 0, 2}, anew::no_backoff{}, anew::retry_all{},
                               anew::max_attempts<3>{});
  auto const held = s.quota().try_acquire(failure{});
  ASSERT_TRUE(held);
  EXPECT_EQ(in_a_child([&] {
              int attempts = 0;
              static_cast<void>(anew::retry(s, [&] {
                ++attempts;
                return false;
              }));
              if (attempts != 3 || s.quota().retries() != 1) return 1;
              static_cast<void>(drain(s.quota()));
              return s.quota().retries() == 2 ? 0 : 2;
            }),
            0);
  EXPECT_EQ(s.quota().retries(), 2U);
  s.quota().release(*held);
  while (s.quota().retries() != 0) {  // the first refusal 10 ms after it was last looked
    if (auto const permit = s.quota().try_acquire(failure{})) s.quota().release(*permit);
    auto const one = s.quota().try_acquire(failure{});
    auto const two = s.quota().try_acquire(failure{});
    for (auto const& each : {one, two}) {
      if (each) s.quota().release(*each);
    }
  }
}

TEST(ProcessConcurrencyBudget, AWorkerAsksWhetherItIsCounted) {
  place_of_its_own const place;
  concurrency_budget const budget{place.path(), 0, 2};
  EXPECT_EQ(budget.last_error(), "");
  EXPECT_EQ(in_a_child([&] { return budget.last_error().empty() && drain(budget) == 2 ? 0 : 1; }), 0);
  ::unlink(place.path().c_str());
  EXPECT_EQ(in_a_child(
                [&] { return budget.last_error() == "open: No such file or directory" && drain(budget) == 0 ? 0 : 1; }),
            0);
}

TEST(ProcessConcurrencyBudget, ThreadsOfAProcessShareItsSlot) {
  place_of_its_own const place;
  concurrency_budget const budget{place.path(), 0, 3};
  concurrency_budget const opened_again{place.path(), 0, 3};
  std::uint32_t out = 0;
  std::uint32_t most = 0;
  support::together(2, [&](unsigned index) {
    anew::generator dice{index, 4};
    auto const& mine = index == 0 ? budget : opened_again;
    std::vector<std::uint32_t> held;
    for (int i = 0; i < 20'000; ++i) {
      mine.on_call();
      if (held.size() < 3 && dice() % 2 == 0) {
        if (auto const permit = mine.try_acquire(failure{})) {
          held.push_back(*permit);
          auto const now = __atomic_add_fetch(&out, 1, __ATOMIC_SEQ_CST);
          if (now > 3) __atomic_store_n(&most, now, __ATOMIC_SEQ_CST);
        }
      } else if (!held.empty()) {
        __atomic_sub_fetch(&out, 1, __ATOMIC_SEQ_CST);
        mine.release(held.back());
        held.pop_back();
      }
      mine.on_call_end();
    }
    for (auto const permit : held) {
      __atomic_sub_fetch(&out, 1, __ATOMIC_SEQ_CST);
      mine.release(permit);
    }
  });
  EXPECT_EQ(most, 0U);
  EXPECT_EQ(budget.retries(), 0U);
  EXPECT_EQ(budget.calls(), 0U);
  EXPECT_EQ(drain(budget), 3);
}

TEST(ProcessConcurrencyBudget, NumbersOfNoBudgetAreRefused) {
  place_of_its_own const place;
  EXPECT_REJECTED((concurrency_budget{place.path(), 101, 3}),
                  "anew::process::concurrency_budget: percent must be between 0 and 100, but is 101");
  EXPECT_REJECTED(
      (concurrency_budget{place.path(), 20, -1}),
      "anew::process::concurrency_budget: the least number of retries must be between 0 and 4294967295, but "
      "is -1");
}

}  // namespace
}  // namespace process_concurrency_budget_test
