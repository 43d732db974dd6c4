// SPDX-License-Identifier: BSL-1.0
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/quota/retry_budget.hpp"
#include "anew/quota/striped.hpp"
#include "anew/testing/manual_clock.hpp"

#include "budget_support.hpp"
#include "length.hpp"
#include "together.hpp"

namespace quota_striped_budget_test {
namespace {

using namespace std::chrono_literals;
using anew::failure;
using anew::retry_budget;
using anew::striped;
using anew::time_point;
using support::call;
using support::drain;

constexpr time_point start{1000s};

static_assert(anew::Quota<striped<retry_budget<>>>);
static_assert(anew::detail::CountsCalls<striped<retry_budget<>>>);
static_assert(!anew::detail::CountsCallsUnderWay<striped<retry_budget<>>>);
static_assert(!std::is_copy_constructible_v<striped<retry_budget<>>>);
static_assert(sizeof(striped<retry_budget<>>) == 1280);
static_assert(striped<retry_budget<>>::is_sound && !striped<retry_budget<1001>>::is_sound);

TEST(StripedBudget, TakesValuesKnownAtRunTime) {
  EXPECT_EQ((striped<retry_budget<>>{}.describe()), "striped(retry_budget(20%,10/s,10s))");
  striped const budget{retry_budget{50, 2, 5s}};
  EXPECT_EQ(budget.describe(), "striped(retry_budget(50%,2/s,5s))");
  EXPECT_EQ(budget.policy().capacity(), 10U);
  striped<decltype(retry_budget{50, 2, 5s}), 3> const other{50, 2, 5s};
  EXPECT_EQ(other.policy().balance(start), 10U);
}

TEST(StripedBudget, GoesOnWithWhatThePlainBudgetCounted) {
  retry_budget plain{50, 2, 5s};
  call(plain, start, 8);
  EXPECT_TRUE(plain.try_acquire(failure{}, start));
  striped const budget{std::move(plain)};
  EXPECT_EQ(budget.policy().balance(start), 13U);
  EXPECT_EQ(budget.policy().balance(start + 5s), 10U);
  EXPECT_EQ(drain(budget, start + 1s), 13U);
}

TEST(StripedBudget, MovesWithEverything) {
  striped from{retry_budget{50, 2, 5s}};
  support::together(3, [&](unsigned) { call(from, start, 4); });
  auto const permit = from.try_acquire(failure{}, start);
  striped const to{std::move(from)};
  EXPECT_EQ(to.policy().balance(start), 15U);
  to.release(*permit);
  EXPECT_EQ(to.policy().balance(start), 16U);
  EXPECT_EQ(drain(to, start + 1s), 16U);
}

TEST(StripedBudget, InAStrategyCallsAllowRetries) {
  anew::testing::manual_clock const clock;
  auto const s = anew::compose(striped{retry_budget{20, 0, 10s}}, anew::no_backoff{}, anew::retry_all{},
                               anew::max_attempts<2>{}, clock);
  int attempts = 0;
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(anew::retry(s, [&] { return ++attempts < 0; }));
  EXPECT_EQ(attempts, 120);
}

// The nine older tenths are summed once; a call that comes late counts all the same.
TEST(StripedBudget, ACallWhoseClockIsBehindCountsAtOnce) {
  striped<retry_budget<100, 0, 10s>> const budget;
  EXPECT_EQ(drain(budget, start), 0U);
  call(budget, start - 3s, 2);
  EXPECT_EQ(drain(budget, start), 2U);
  call(budget, start, 1);
  call(budget, start - 9s, 1);
  EXPECT_EQ(drain(budget, start), 2U);
  call(budget, start - 10s, 1);
  EXPECT_EQ(drain(budget, start), 0U);
  EXPECT_EQ(budget.policy().balance(start + 1s), 0U);
}

// A retry whose clock is behind spends at the newest time that a call was made at.
TEST(StripedBudget, ARetryWhoseClockIsBehindSpendsNow) {
  striped<retry_budget<100, 1, 1s>> const budget;
  call(budget, start, 1);
  EXPECT_EQ(drain(budget, start - 5s), 2U);
  EXPECT_EQ(drain(budget, start), 0U);
}

TEST(StripedBudget, WithoutAPercentageCallsCountNothing) {
  striped<retry_budget<0, 2, 1s>> const budget;
  call(budget, start + 1h, 1);
  EXPECT_EQ(drain(budget, start), 2U);
}

/// A budget and its striped form, which are told and asked the same by threads that begin and end.
class twins {
 public:
  twins(std::uint64_t seed, int percent, int per_second, anew::duration window)
      : plain_{percent, per_second, window},
        striped_{retry_budget{percent, per_second, window}},
        tenth_{window.count() / 10},
        dice_{seed, 3},
        now_{begin()} {}

  void follow(int threads) {
    for (int t = 0; t < threads; ++t) {
      std::thread{[this] {
        for (int step = 0; step < 60 && !testing::Test::HasFatalFailure(); ++step) act();
      }}.join();
    }
  }

 private:
  using budget = decltype(retry_budget{20, 10, 10s});

  std::int64_t begin() {
    auto const anywhere = static_cast<std::int64_t>(dice_());
    return dice_() % 8 == 0 ? std::numeric_limits<std::int64_t>::min() + below(tenth_) : anywhere / 2;
  }
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(dice_() % static_cast<std::uint64_t>(bound));
  }
  /// From a nanosecond to a year, each order of magnitude as often; mostly none.
  std::int64_t pause() {
    if (dice_() % 8 != 0) return dice_() % 4 == 0 ? below(tenth_) : 0;
    auto const shortest = std::int64_t{1} << below(55);
    return shortest + below(shortest);
  }
  void act() {
    auto const by = pause();
    now_ = now_ > std::numeric_limits<std::int64_t>::max() - by ? now_ : now_ + by;
    // Now and then a clock is behind, by up to two windows.
    auto const late = dice_() % 16 == 0 ? below(20 * tenth_) : 0;
    auto const at = now_ < std::numeric_limits<std::int64_t>::min() + late ? now_ : now_ - late;
    time_point const now{anew::duration{at}};
    switch (dice_() % 8) {
      default:
        plain_.on_call(now);
        striped_.on_call(now);
        break;
      case 0:
      case 1:
      case 2: {
        auto const permit = plain_.try_acquire(failure{}, now);
        ASSERT_EQ(permit, striped_.try_acquire(failure{}, now));
        if (permit) permits_.push_back(*permit);
        break;
      }
      case 3:
        if (permits_.empty()) break;
        std::swap(permits_[dice_() % permits_.size()], permits_.back());
        plain_.release(permits_.back());
        striped_.release(permits_.back());
        permits_.pop_back();
    }
    ASSERT_EQ(plain_.balance(now), striped_.policy().balance(now));
  }

  budget plain_;
  striped<budget, 3> striped_;
  std::int64_t tenth_;
  anew::generator dice_;
  std::int64_t now_;
  std::vector<std::uint32_t> permits_;
};

TEST(StripedBudget, DecidesAsThePlainBudget) {
  constexpr anew::duration windows[]{1s, 10s, 60s, 1'234'567'891ns};
  anew::generator dice{4, 4};
  for (std::uint64_t seed = 0; seed < support::length_of(60U) && !HasFatalFailure(); ++seed) {
    auto const percent = static_cast<int>(dice() % 3 == 0 ? dice() % 1001 : dice() % 101);
    SCOPED_TRACE(seed);
    twins{seed, percent, static_cast<int>(dice() % 4), windows[seed % 4]}.follow(40);
  }
}

TEST(StripedBudget, NothingIsLostWhenAThreadEnds) {
  striped<retry_budget<100, 0, 10s>> const budget;
  for (unsigned round = 0; round < 40; ++round) {
    support::together(4, [&](unsigned index) { call(budget, start + 1s * (round % 10), 50 + index); });
  }
  EXPECT_EQ(budget.policy().balance(start + 9s), 40U * 206U);
  EXPECT_EQ(drain(budget, start + 9s), 40U * 206U);
}

/// What happened in each tenth, written down by each thread for itself.
struct ledger {
  static constexpr std::size_t most = 4096;
  std::vector<std::int64_t> calls = std::vector<std::int64_t>(most);
  std::vector<std::int64_t> retries = std::vector<std::int64_t>(most);
};

// Threads share a time that goes on while they work, so that each of them is behind the others now and then.
TEST(StripedBudget, NeverAboveTheBudgetInAnyWindow) {
  constexpr unsigned threads = 4;
  std::int64_t calls = 0;
  std::int64_t retries = 0;
  for (std::uint32_t round = 0; round < 20; ++round) {
    striped<retry_budget<20, 1, 1s>, 4> const budget;
    std::atomic<std::int64_t> time{0};
    std::vector<ledger> ledgers(threads);
    support::together(threads, [&](unsigned index) {
      anew::generator dice{index, round};
      auto& mine = ledgers[index];
      for (int n = 0; n < 4'000; ++n) {
        auto const roll = dice();
        if (roll % 64 == 0) time.fetch_add(30'000'000, std::memory_order_relaxed);
        if (roll % 4096 == 1) time.fetch_add(1'500'000'000, std::memory_order_relaxed);
        auto const ticks = time.load(std::memory_order_relaxed);
        time_point const now{anew::duration{ticks}};
        if (roll % 64 == 2) std::this_thread::yield();
        if ((roll >> 20U) % 2 == 0) {
          budget.on_call(now);
          ++mine.calls[static_cast<std::size_t>(ticks / 100'000'000)];
        } else if (auto const permit = budget.try_acquire(failure{}, now)) {
          ++mine.retries[*permit / 2];  // it has the number of the tenth in which it was counted
        }
      }
    });
    ledger all;
    for (auto const& each : ledgers) {
      for (std::size_t i = 0; i != ledger::most; ++i) {
        all.calls[i] += each.calls[i];
        all.retries[i] += each.retries[i];
      }
    }
    for (std::size_t last = 0; last != ledger::most; ++last) {
      calls += all.calls[last];
      retries += all.retries[last];
      if (all.retries[last] == 0) continue;
      std::int64_t spent = 0;
      std::int64_t allowed = 100;
      for (std::size_t i = last < 9 ? 0 : last - 9; i <= last; ++i) {
        spent += 100 * all.retries[i];
        allowed += 20 * all.calls[i];
      }
      EXPECT_LE(spent, allowed) << "round " << round << ", tenth " << last;
    }
  }
  EXPECT_GT(retries * 100, calls * 15) << "the budget was never used up";
}

}  // namespace
}  // namespace quota_striped_budget_test
