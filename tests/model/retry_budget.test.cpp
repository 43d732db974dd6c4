// SPDX-License-Identifier: BSL-1.0
// Laws 6 and 11 of the quotas that time refills, where two threads move the window on together.
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
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

/// 'cN' begins a call at N ms, 'aN' asks for a retry then, 'r' releases the one that was granted before the threads began.
struct step {
  char what;
  time_point now;
};
std::vector<step> steps_of(char const* program) {
  std::istringstream words{program};
  std::vector<step> all;
  for (std::string word; words >> word;) all.push_back({word[0], start + 1ms * std::atoi(word.c_str() + 1)});
  return all;
}

/// A budget, and what was done with it.
struct world {
  budget quota;
  std::uint64_t granted = 0;
  std::optional<std::uint32_t> permit;

  void run(std::vector<step> const& program) {
    for (auto const& [what, now] : program) {
      if (what == 'c') quota.on_call(now);
      if (what == 'r') quota.release(*permit);
      auto const got = what == 'a' ? quota.try_acquire(failure{}, now) : std::nullopt;
      if (got) ++granted;
      if (!permit) permit = got;
    }
  }
};

/// So many retries are granted to the threads, in each order, and that is left at that time.
struct row {
  char const* name;
  char const* before;
  std::vector<char const*> threads;
  unsigned spurious;
  std::uint64_t granted;
  std::chrono::milliseconds at;
  std::uint64_t left;
  std::uint64_t more_orders_than;
};
row const rows[]{
    // Allowed at 0, expired at 1 s: whoever comes then must not have it, be the other one in the middle of moving on.
    {"what expired is not granted", "c0 a900 a900", {"a1000", "a1000"}, 1, 0, 1000ms, 0, 100},
    {"the last retry is granted once", "a900", {"a1000", "a900"}, 0, 1, 1000ms, 0, 100},
    {"a call while the window moves on counts", "c0", {"c900", "c1000"}, 0, 0, 1000ms, 4, 10},
    {"a permit comes back once while it expires", "a0", {"r", "a1000"}, 1, 1, 1000ms, 1, 20},
    // After a pause as long as the window the slots are used anew: late permits of the old ones change nothing.
    {"a permit comes back once while its slot is used anew", "a0 c0", {"r", "c1100 a1100"}, 0, 1, 1100ms, 2, 100},
    {"the first use, by two threads that read different times", "", {"c0", "c100 a100"}, 1, 1, 100ms, 3, 20},
};

TEST(RetryBudgetModel, EveryOrderGrantsWhatThereIsAndExpiresToTheFloor) {
  for (auto const& of : rows) {
    std::uint64_t violations = 0;
    model::explorer explorer{of.spurious};
    auto const make = [&] {
      auto w = std::make_shared<world>();
      w->run(steps_of(of.before));
      w->granted = 0;
      model::explorer::scenario s;
      s.shared = w.get();
      for (auto const* const program : of.threads)
        s.threads.emplace_back([w, steps = steps_of(program)] { w->run(steps); });
      s.at_the_end = [w, &of, &violations] {
        if (w->granted != of.granted || w->quota.balance(start + of.at) != of.left) ++violations;
        // Tenth by tenth: nothing is kept for ever, nothing leaves twice.
        for (auto later = 2100ms; later < 5s; later += 100ms) {
          auto const balance = w->quota.balance(start + later);
          if (balance > 6) ++violations;
          if (later > 3500ms && balance != 2) ++violations;
        }
        // In steps as long as a window, and by a pause.
        if (w->quota.balance(start + 1h) != 2) ++violations;
      };
      return s;
    };
    EXPECT_GT(explorer.explore(make, [&] { return violations > 10; }), of.more_orders_than) << of.name;
    EXPECT_EQ(violations, 0U) << of.name;
  }
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
