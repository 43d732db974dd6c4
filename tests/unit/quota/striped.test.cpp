// SPDX-License-Identifier: BSL-1.0
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/quota/concurrency_budget.hpp"
#include "anew/policies/quota/retry_budget.hpp"
#include "anew/policies/quota/striped.hpp"
#include "anew/policies/quota/token_bucket.hpp"

#include "budget_support.hpp"
#include "length.hpp"
#include "names.hpp"
#include "together.hpp"

namespace quota_striped_test {
namespace {

using namespace anew;
using support::call;
using support::drain;

constexpr failure transient{.kind = error_kind::transient};

TEST(Striped, MovesItsTokensAndLeavesNone) {
  striped<token_bucket<run_time_count>, 3> from{500, retry_costs{}, 500};
  ASSERT_TRUE(from.try_acquire(transient));
  for (int n = 0; n < 4; ++n) from.on_success(0);
  striped const to{std::move(from)};
  EXPECT_EQ(to.policy().balance(), 490U);
  EXPECT_EQ(from.policy().balance(), 0U);  // NOLINT(bugprone-use-after-move): its state is documented
  from.on_success(0);
  EXPECT_EQ(from.policy().balance(), 1U);
}

std::uint64_t balance_of(auto const& quota, time_point now) {
  if constexpr (requires { quota.balance(now); }) return quota.balance(now);
  if constexpr (requires { quota.balance(); }) return quota.balance();
}

/// A quota and its striped form, which are told and asked the same by threads that begin and end, at any time of 64 bits:
/// a call may end on another thread than the one that it began on, and a clock may be behind by up to two windows.
template <class Plain, class Striped>
class twins {
 public:
  twins(Plain plain, Striped counted, std::uint64_t seed, duration window = 1s)
      : plain_{std::move(plain)}, striped_{std::move(counted)}, tenth_{window.count() / 10}, dice_{seed, 3} {
    auto const anywhere = static_cast<std::int64_t>(dice_());
    now_ = dice_() % 8 == 0 ? std::numeric_limits<std::int64_t>::min() + below(tenth_) : anywhere / 2;
    successes_ = dice_() % 8;
  }
  void agree() {
    for (int thread = 0; thread != 40; ++thread) {
      std::thread{[this] {
        for (int step = 0; step != 60 && !::testing::Test::HasFatalFailure(); ++step) act();
      }}.join();
    }
  }

 private:
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(dice_() % static_cast<std::uint64_t>(bound));
  }
  /// From a nanosecond to a year, each order of magnitude as often; mostly none.
  std::int64_t pause() {
    if (dice_() % 8 != 0) return dice_() % 4 == 0 ? below(tenth_) : 0;
    auto const shortest = std::int64_t{1} << below(55);
    return shortest + below(shortest);
  }
  void both(auto const& tell) {
    tell(plain_);
    tell(striped_);
  }
  void act() {
    auto const by = pause();
    now_ = now_ > std::numeric_limits<std::int64_t>::max() - by ? now_ : now_ + by;
    auto const late = dice_() % 16 == 0 ? below(20 * tenth_) : 0;
    auto const at = now_ < std::numeric_limits<std::int64_t>::min() + late ? now_ : now_ - late;
    time_point const now{duration{at}};
    if (auto const what = dice_() % 8; what < 3) {
      failure const why{.kind = static_cast<error_kind>(dice_() % 5)};
      auto const permit = detail::try_acquire(plain_, why, now);
      ASSERT_EQ(permit, detail::try_acquire(striped_, why, now));
      if (permit) permits_.push_back(*permit);
    } else if (what == 3 && !permits_.empty()) {
      std::swap(permits_[dice_() % permits_.size()], permits_.back());
      auto const permit = permits_.back();
      permits_.pop_back();
      bool const succeeds = dice_() % 8 < successes_;
      both([&](auto const& quota) { succeeds ? quota.on_success(permit) : quota.release(permit); });
    } else if (what == 4) {
      if (dice_() % 8 < successes_) both([](auto const& quota) { quota.on_success({}); });
    } else if constexpr (detail::CountsCallsUnderWay<Plain>) {
      bool const ends = calls_ != 0 && dice_() % 8 > 3;
      calls_ = ends ? calls_ - 1 : calls_ + 1;
      both([&](auto const& quota) { ends ? quota.on_call_end() : quota.on_call(now); });
      ASSERT_EQ(striped_.policy().calls(), calls_);
      ASSERT_EQ(striped_.policy().retries(), plain_.retries());
    } else if constexpr (detail::CountsCalls<Plain>) {
      both([&](auto const& quota) { quota.on_call(now); });
    }
    ASSERT_EQ(balance_of(plain_, now), balance_of(striped_.policy(), now));
  }

  Plain plain_;
  Striped striped_;
  std::int64_t tenth_;
  generator dice_;
  std::int64_t now_ = 0;
  std::uint64_t successes_ = 0;  // of eight
  std::uint64_t calls_ = 0;
  std::vector<typename Plain::permit_type> permits_;
};
template <unsigned Stripes = 8, class Plain>
void decides_as(Plain plain, std::uint64_t seed) {
  twins{std::move(plain), striped<Plain, Stripes>{}, seed}.agree();
}

TEST(Striped, DecidesAsThePlainQuota) {
  constexpr duration windows[]{1s, 10s, 60s, 1'234'567'891ns};
  generator dice{4, 4};
  for (std::uint64_t seed = 0; seed < support::length_of(60U) && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE(seed);
    decides_as(token_bucket<500>{}, seed);
    decides_as<1>(token_bucket<20>{}, seed);
    decides_as<2>(token_bucket<50, retry_costs{}, refund::fraction(1, 3)>{}, seed);
    decides_as(token_bucket<50, retry_costs{}, refund::fixed(3), payment::partial>{}, seed);
    decides_as(token_bucket<4'294'967'295, retry_costs::all(4'294'967'295), refund::fixed(2'000'000'000)>{}, seed);
    decides_as(token_bucket<0>{}, seed);
    auto const window = windows[seed % 4];
    auto const of_calls = static_cast<int>(dice() % 3 == 0 ? dice() % 1001 : dice() % 101);
    auto const per_second = static_cast<int>(dice() % 4);
    using budget = decltype(retry_budget{20, 10, 10s});
    twins{budget{of_calls, per_second, window}, striped<budget, 3>{of_calls, per_second, window}, seed, window}.agree();
    auto const of_calls_under_way = static_cast<int>(dice() % 101);
    auto const least = static_cast<int>(dice() % 5);
    using share = decltype(concurrency_budget{20, 3});
    twins{share{of_calls_under_way, least}, striped<share, 3>{of_calls_under_way, least}, seed}.agree();
  }
}

// More successes than 32 bits can count: the stripes wrap, and nobody sees it.
TEST(Striped, CountsBeyond32Bits) {
  constexpr auto large = refund::fixed(10'000);
  token_bucket<100'000'000, retry_costs::all(50'000'000), large> const plain;
  striped<token_bucket<100'000'000, retry_costs::all(50'000'000), large>> const counted;
  for (int round = 0; round < 200; ++round) {
    ASSERT_EQ(plain.try_acquire(transient), counted.try_acquire(transient)) << round;
    for (int n = 0; n < 4'000; ++n) {
      plain.on_success(0);
      counted.on_success(0);
    }
    ASSERT_EQ(plain.balance(), counted.policy().balance()) << round;
  }
}

constexpr time_point start{1000s};

TEST(StripedBudget, GoesOnWithWhatThePlainBudgetCountedAndMovesWithEverything) {
  retry_budget plain{50, 2, 5s};
  call(plain, start, 8);
  EXPECT_TRUE(plain.try_acquire(failure{}, start));
  striped from{std::move(plain)};
  EXPECT_EQ(from.policy().balance(start), 13U);
  EXPECT_EQ(from.policy().balance(start + 5s), 10U);
  support::together(3, [&](unsigned) { call(from, start, 4); });
  auto const permit = from.try_acquire(failure{}, start);
  striped const to{std::move(from)};
  EXPECT_EQ(to.policy().balance(start), 18U);
  to.release(*permit);
  EXPECT_EQ(drain(to, start + 1s), 19U);
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

TEST(StripedConcurrency, GoesOnWithWhatThePlainBudgetCounted) {
  concurrency_budget plain{10, 2};
  for (int i = 0; i < 50; ++i) plain.on_call(time_point{});
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

// The least number is granted without a look at the calls, and is still a least number.
TEST(StripedConcurrency, TheLargestLeastNumberDoesNotWrapAround) {
  striped const budget{concurrency_budget{100, std::int64_t{4294967295}}};
  for (int i = 0; i < 3; ++i) budget.on_call(time_point{});
  auto const permit = budget.try_acquire(failure{});
  EXPECT_EQ(budget.policy().balance(), 4294967294U);
  budget.release(*permit);
  EXPECT_EQ(budget.policy().calls(), 3U);
}

}  // namespace
}  // namespace quota_striped_test
