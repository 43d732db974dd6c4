// SPDX-License-Identifier: BSL-1.0
// The windowed budget beside one that keeps its tenths in maps: every answer is equal, whatever the pauses.
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/quota/retry_budget.hpp"
#include "anew/policies/quota/striped.hpp"

#include "depth.hpp"
#include "naive_quota.hpp"
#include "names.hpp"

namespace {

using anew::retry_budget;
using support::agree;
using support::totals;

/// Tenths in maps, sums by plain arithmetic. The newest time that anybody saw is everybody's.
struct naive_budget : public support::naive_quota {
  naive_budget(std::int64_t percent, std::int64_t per_second, anew::duration window)
      : percent_{percent}, floor_{per_second * (window / 1ms) * 100 / 1000}, tenth_{window.count() / 10} {}

  void on_call(time_point now) {
    if (percent_ == 0) return;
    auto const tenth = support::interval_of(now, tenth_);
    see(tenth);
    ++calls_[tenth];
  }
  std::optional<std::int64_t> try_acquire(failure const& /*what*/, time_point now) {
    see(support::interval_of(now, tenth_));
    if (spare(*newest_) < 100) return std::nullopt;
    ++retries_[*newest_];
    return newest_;
  }
  void release(std::int64_t tenth) {
    if (auto const found = retries_.find(tenth); found != retries_.end()) --found->second;
  }
  [[nodiscard]] std::int64_t balance_at(time_point now) const {
    auto const tenth = support::interval_of(now, tenth_);
    return std::max<std::int64_t>(spare(newest_ ? std::max(*newest_, tenth) : tenth), 0) / 100;
  }

 private:
  using tenths = std::map<std::int64_t, std::int64_t>;

  void see(std::int64_t tenth) {
    if (newest_ && tenth <= *newest_) return;
    newest_ = tenth;
    for (auto* all : {&calls_, &retries_}) all->erase(all->begin(), all->upper_bound(tenth - 10));
  }
  [[nodiscard]] std::int64_t spare(std::int64_t last) const {
    auto const in_window = [last](tenths const& all) {
      std::int64_t sum = 0;
      for (auto it = all.upper_bound(last - 10); it != all.end() && it->first <= last; ++it) sum += it->second;
      return sum;
    };
    return floor_ + percent_ * in_window(calls_) - 100 * in_window(retries_);
  }

  std::int64_t percent_, floor_, tenth_;
  std::optional<std::int64_t> newest_;
  tenths calls_;
  tenths retries_;
};

template <class Budget>
struct as_it_is : Budget {
  using Budget::Budget;
};
/// Budgets of any numbers, and two whose numbers are in their type, in that form.
template <template <class> class Form>
void every_answer_is_that_of_maps(std::uint64_t stream) {
  totals all;
  anew::generator dice{1, stream};
  constexpr anew::duration windows[]{1s, 10s, 60s, 1'234'567'891ns};
  for (std::uint64_t seed = 0; seed < 160 && !testing::Test::HasFatalFailure(); ++seed) {
    auto const window = windows[seed % 4];
    auto const percent = static_cast<std::int64_t>(dice() % 3 == 0 ? dice() % 1001 : dice() % 101);
    auto const per_second = static_cast<std::int64_t>(dice() % 4 == 0 ? dice() % 1000 : dice() % 4);
    using chosen = decltype(retry_budget{percent, per_second, window});
    auto const place = seed + 2000 * stream;
    agree(Form<chosen>{percent, per_second, window}, naive_budget{percent, per_second, window}, window / 10, place,
          all);
    if (seed % 4 == 1) agree(Form<retry_budget<>>{}, naive_budget{20, 10, 10s}, 1s, place + 1000, all);
    if (seed % 4 == 2) agree(Form<retry_budget<0, 1, 1s>>{}, naive_budget{0, 1, 1s}, 100ms, place + 1000, all);
  }
  all.report(4'000'000);
}

TEST(RetryBudgetInDepth, EveryAnswerIsThatOfMaps) { every_answer_is_that_of_maps<as_it_is>(1); }

// Each call is counted in another of two stripes. The second has eleven words more to read, and a retry that finds the
// head closed reads them twice.
template <class Budget>
using in_two_stripes = anew::striped<Budget, 2>;
TEST(RetryBudgetInDepth, EveryAnswerOfStripesIsThatOfMaps) {
  support::most_steps += 2 * 11;
  every_answer_is_that_of_maps<in_two_stripes>(2);
  support::most_steps -= 2 * 11;
}

// More calls than the word of a sum can keep: it is summed again each time.
TEST(RetryBudgetInDepth, ASumOfAnySizeIsThatOfTheTenths) {
  constexpr time_point start{1000s};
  constexpr std::uint32_t of_a_tenth = 24'000'000;
  anew::striped<retry_budget<1, 0, 60s>, 2> const budget;
  for (int tenth = 0; tenth != 3; ++tenth) {
    for (std::uint32_t i = 0; i != of_a_tenth; ++i) budget.on_call(start + 6s * tenth);
  }
  std::uint32_t granted = 0;
  while (budget.try_acquire(failure{}, start + 18s)) ++granted;
  EXPECT_EQ(granted, 3 * of_a_tenth / 100);
}

// The widest counts of a tenth: 25 bits.
TEST(RetryBudgetInDepth, ATenthCountsSoManyCallsAndNoMore) {
  constexpr time_point start{1000s};
  constexpr std::uint32_t most = (1U << 25U) - 1;
  retry_budget<1000, 0, 60s> const budget;
  for (std::uint32_t i = 0; i < most - 1; ++i) budget.on_call(start);
  EXPECT_EQ(budget.balance(start), (most - 1) * 10);
  for (int i = 0; i < 3; ++i) budget.on_call(start);
  EXPECT_EQ(budget.balance(start), most * 10);
  EXPECT_EQ(budget.balance(start + 6s), most * 10);
  for (std::uint32_t i = 0; i < most; ++i) {
    if (!budget.try_acquire(failure{}, start)) FAIL() << i;
  }
  EXPECT_FALSE(budget.try_acquire(failure{}, start));  // a tenth counts as many retries
  EXPECT_TRUE(budget.try_acquire(failure{}, start + 6s));
  budget.on_call(start + 66s);
  EXPECT_TRUE(budget.try_acquire(failure{}, start + 66s));  // the same slot, which was full
}

}  // namespace
