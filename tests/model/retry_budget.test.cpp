// SPDX-License-Identifier: BSL-1.0
// Laws 6 and 11 of the quotas that time refills, where two threads move the window on together.
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "anew/policies/quota/concurrency_budget.hpp"
#include "anew/policies/quota/refilling_bucket.hpp"
#include "anew/policies/quota/retry_budget.hpp"

#include "explorer.hpp"

namespace {

using namespace std::chrono_literals;
using anew::failure;
using anew::time_point;

constexpr time_point start{1000s};
using budget = anew::retry_budget<100, 2, 1s>;  // a call allows a retry, and two more

/// A budget, and what was done with it: how many retries may be out, how many are.
struct world {
  budget quota;
  std::uint64_t granted = 0;
  std::optional<std::uint32_t> permit;  ///< taken before the threads began

  std::optional<std::uint32_t> acquire(time_point now) {
    auto const got = quota.try_acquire(failure{}, now);
    if (got) ++granted;
    return got;
  }
};

using action = std::function<void(world&)>;

struct outcome {
  std::uint64_t orders = 0;
  std::uint64_t violations = 0;
  std::uint64_t most_granted = 0;
};

/// Every order of these actions after `before`; then `at_the_end` must be true, and all of it expire to the floor.
outcome check(action const& before, std::vector<action> const& actions,
              std::function<bool(world const&)> const& at_the_end, unsigned spurious) {
  outcome found;
  model::explorer explorer{spurious};
  found.orders = explorer.explore(
      [&] {
        auto w = std::make_shared<world>();
        before(*w);
        model::explorer::scenario s;
        s.shared = w.get();
        for (auto const& act : actions) s.threads.emplace_back([w, &act] { act(*w); });
        s.at_the_end = [w, &found, &at_the_end] {
          found.most_granted = w->granted > found.most_granted ? w->granted : found.most_granted;
          if (!at_the_end(*w)) ++found.violations;
          // Tenth by tenth: nothing is kept for ever, nothing leaves twice.
          for (auto later = 2100ms; later < 5s; later += 100ms) {
            auto const balance = w->quota.balance(start + later);
            if (balance > 6) ++found.violations;
            if (later > 3500ms && balance != 2) ++found.violations;
          }
          // In steps as long as a window, and by a pause.
          if (w->quota.balance(start + 1h) != 2) ++found.violations;
        };
        return s;
      },
      [&] { return found.violations > 10; });
  return found;
}

// Allowed at 0, expired at 1 s: whoever comes at 1 s must not have it, be the other one in the middle of moving on.
TEST(RetryBudgetModel, WhatExpiredIsNotGranted) {
  auto const found = check(
      [](world& w) {
        w.quota.on_call(start);
        static_cast<void>(w.acquire(start + 900ms));
        static_cast<void>(w.acquire(start + 900ms));
        w.granted = 0;
      },
      {[](world& w) { static_cast<void>(w.acquire(start + 1s)); },
       [](world& w) { static_cast<void>(w.acquire(start + 1s)); }},
      [](world const& w) { return w.granted == 0; }, 1);
  EXPECT_EQ(found.violations, 0U);
  EXPECT_GT(found.orders, 100U);
}

TEST(RetryBudgetModel, TheLastRetryIsGrantedOnce) {
  auto const found = check(
      [](world& w) {
        static_cast<void>(w.acquire(start + 900ms));
        w.granted = 0;
      },
      {[](world& w) { static_cast<void>(w.acquire(start + 1s)); },
       [](world& w) { static_cast<void>(w.acquire(start + 900ms)); }},
      [](world const& w) { return w.granted == 1 && w.quota.balance(start + 1s) == 0; }, 0);
  EXPECT_EQ(found.violations, 0U);
  EXPECT_GT(found.orders, 100U);
}

TEST(RetryBudgetModel, ACallWhileTheWindowMovesOnCounts) {
  auto const found =
      check([](world& w) { w.quota.on_call(start); },
            {[](world& w) { w.quota.on_call(start + 900ms); }, [](world& w) { w.quota.on_call(start + 1s); }},
            [](world const& w) { return w.quota.balance(start + 1s) == 4; }, 0);
  EXPECT_EQ(found.violations, 0U);
  EXPECT_GT(found.orders, 10U);
}

TEST(RetryBudgetModel, APermitComesBackOnceWhileItExpires) {
  auto const found =
      check([](world& w) { w.permit = w.acquire(start); },
            {[](world& w) { w.quota.release(*w.permit); }, [](world& w) { static_cast<void>(w.acquire(start + 1s)); }},
            [](world const& w) { return w.granted == 2 && w.quota.balance(start + 1s) == 1; }, 1);
  EXPECT_EQ(found.violations, 0U);
  EXPECT_GT(found.orders, 20U);
}

// After a pause as long as the window the slots are used anew: late permits of the old ones change nothing.
TEST(RetryBudgetModel, APermitComesBackOnceWhileItsSlotIsUsedAnew) {
  auto const found = check(
      [](world& w) {
        w.permit = w.acquire(start);
        w.quota.on_call(start);
      },
      {[](world& w) { w.quota.release(*w.permit); },
       [](world& w) {
         w.quota.on_call(start + 1100ms);
         static_cast<void>(w.acquire(start + 1100ms));
       }},
      [](world const& w) { return w.quota.balance(start + 1100ms) == 2; }, 0);
  EXPECT_EQ(found.violations, 0U);
  EXPECT_GT(found.orders, 100U);
}

// A first use, by two threads that read different times.
TEST(RetryBudgetModel, TheFirstUse) {
  auto const found = check([](world&) {},
                           {[](world& w) { w.quota.on_call(start); },
                            [](world& w) {
                              w.quota.on_call(start + 100ms);
                              static_cast<void>(w.acquire(start + 100ms));
                            }},
                           [](world const& w) { return w.granted == 1 && w.quota.balance(start + 100ms) == 3; }, 1);
  EXPECT_EQ(found.violations, 0U);
  EXPECT_GT(found.orders, 20U);
}

TEST(RefillingBucketModel, NeverMoreThanThereIs) {
  struct shared_bucket {
    anew::refilling_bucket<1, 100ms> quota;
    unsigned out = 0;
    bool exceeded = false;
  };
  std::uint64_t violations = 0;
  model::explorer explorer{2};
  auto const orders = explorer.explore([&] {
    auto b = std::make_shared<shared_bucket>();
    auto const use = [b](time_point now) {
      return [b, now] {
        for (int i = 0; i < 2; ++i) {
          auto const permit = b->quota.try_acquire(failure{}, now);
          if (!permit) continue;
          if (++b->out > 1) b->exceeded = true;
          b->quota.release(*permit);
          --b->out;
        }
      };
    };
    model::explorer::scenario s;
    s.threads = {use(start), use(start + 50ms)};
    s.at_the_end = [b, &violations] {
      if (b->exceeded || b->quota.balance(start + 50ms) != 1) ++violations;
    };
    return s;
  });
  EXPECT_EQ(violations, 0U);
  EXPECT_GT(orders, 1000U);
}

TEST(ConcurrencyBudgetModel, NeverMoreThanTheShareAndEverythingComesBack) {
  struct shared_budget {
    anew::concurrency_budget<50, 0> quota;
    bool exceeded = false;
  };
  std::uint64_t violations = 0;
  std::uint64_t grants = 0;
  model::explorer explorer{1};
  auto const orders = explorer.explore([&] {
    auto b = std::make_shared<shared_budget>();
    auto const call = [b, &grants] {
      b->quota.on_call(time_point{});
      if (auto const permit = b->quota.try_acquire(failure{})) {
        ++grants;
        b->quota.release(*permit);
      }
      b->quota.on_call_end();
    };
    model::explorer::scenario s;
    s.shared = b.get();
    s.threads = {call, call};
    s.after_each_step = [b, &violations] {
      if (b->quota.retries() > 1) ++violations;  // half of two
    };
    s.at_the_end = [b, &violations] {
      if (b->quota.calls() != 0 || b->quota.retries() != 0) ++violations;
    };
    return s;
  });
  EXPECT_EQ(violations, 0U);
  EXPECT_GT(grants, 0U);
  EXPECT_GT(orders, 1000U);
}

}  // namespace
