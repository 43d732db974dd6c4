// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/quota/concurrency_budget.hpp"
#include "anew/quota/refilling_bucket.hpp"
#include "anew/quota/retry_budget.hpp"
#include "anew/quota/retry_throttle.hpp"
#include "anew/sharing/shared.hpp"

#include "sharing_support.hpp"

namespace sharing_shared_test {
namespace {

using namespace std::chrono_literals;
using anew::failure;
using anew::shared;
using anew::token_bucket;
using support::diary;
using support::diary_gate;
using support::diary_quota;
using support::has_same_functions;
using support::least_gate;
using support::least_quota;

static_assert(anew::Quota<shared<token_bucket<50>>> && anew::Gate<shared<least_gate>>);
static_assert(has_same_functions<shared<token_bucket<50>>, token_bucket<50>>());
static_assert(has_same_functions<shared<least_quota>, least_quota>());
static_assert(has_same_functions<shared<diary_quota>, diary_quota>());
static_assert(has_same_functions<shared<anew::refilling_bucket<1, 1s>>, anew::refilling_bucket<1, 1s>>());
static_assert(has_same_functions<shared<anew::refilling_bucket<1, 1s, anew::when_empty::reserve, 1s>>,
                                 anew::refilling_bucket<1, 1s, anew::when_empty::reserve, 1s>>());
static_assert(has_same_functions<shared<anew::retry_budget<>>, anew::retry_budget<>>());
static_assert(has_same_functions<shared<anew::concurrency_budget<>>, anew::concurrency_budget<>>());
static_assert(has_same_functions<shared<anew::retry_throttle<>>, anew::retry_throttle<>>());
static_assert(support::would_refuse_is_there<shared<diary_gate>> &&
              !support::would_refuse_is_there<shared<least_gate>>);
static_assert(!anew::Quota<shared<least_gate>> && !anew::Gate<shared<least_quota>>);
static_assert(!std::is_default_constructible_v<shared<token_bucket<anew::run_time_count>>>);

// A strategy with a handle that it made for itself would share with nothing.
using of_a_shared_bucket = anew::strategy<shared<token_bucket<50>>>;
static_assert(!std::is_default_constructible_v<of_a_shared_bucket>);
static_assert(std::is_constructible_v<of_a_shared_bucket, shared<token_bucket<50>> const&>);

TEST(Shared, SeveralStrategiesSpendFromOneBalance) {
  shared<token_bucket<42>> const budget{};
  auto const first = anew::compose(budget, anew::no_backoff{}, anew::retry_all{}, anew::max_attempts<2>{});
  auto const second = anew::compose(budget, anew::constant_backoff<0ns>{}, anew::retry_all{}, anew::max_attempts<9>{});
  EXPECT_FALSE(anew::retry(first, [] { return false; }));
  EXPECT_EQ(budget.policy().balance(), 28U);
  EXPECT_FALSE(anew::retry(second, [] { return false; }));
  EXPECT_EQ(budget.policy().balance(), 0U);
  EXPECT_EQ(first.quota().policy().balance(), 0U);
  EXPECT_TRUE(anew::retry(first, [] { return true; }));
  EXPECT_EQ(second.quota().policy().balance(), 1U);
}

TEST(Shared, TakesOverAPolicyWithItsValuesAndItsBalance) {
  token_bucket bucket{20};
  static_cast<void>(bucket.try_acquire(failure{}));
  shared const budget{std::move(bucket)};
  static_assert(std::is_same_v<decltype(budget), shared<token_bucket<anew::run_time_count>> const>);
  EXPECT_EQ(budget.policy().balance(), 6U);
  shared const copy{budget};
  static_assert(std::is_same_v<decltype(copy), shared<token_bucket<anew::run_time_count>> const>);
  EXPECT_EQ(&copy.policy(), &budget.policy());
}

TEST(Shared, LivesAsLongAsAHandle) {
  std::optional<shared<token_bucket<14>>> budget{std::in_place};
  auto const s = anew::compose(*budget, anew::no_backoff{}, anew::retry_all{});
  budget.reset();
  EXPECT_FALSE(anew::retry(s, [] { return false; }));
  EXPECT_EQ(s.quota().policy().balance(), 0U);
}

TEST(Shared, AHandleThatWasMovedFromStillHasItsPolicy) {
  shared<token_bucket<14>> one{};
  shared<token_bucket<14>> const two{std::move(one)};  // NOLINT(performance-move-const-arg)
  EXPECT_EQ(&one.policy(), &two.policy());             // NOLINT(bugprone-use-after-move)
}

TEST(Shared, PassesOnWhatAQuotaIsTold) {
  diary d;
  shared const q{diary_quota{d}};
  EXPECT_EQ(q.try_acquire(failure{}, anew::time_point{3ns}), 7);
  EXPECT_EQ(q.wait(7, anew::time_point{4ns}), 11ns);
  q.on_success(1);
  q.on_failure(2);
  q.release(3);
  q.on_call(anew::time_point{5ns});
  q.on_call_end();
  q.on_attempt_failed(failure{.kind = anew::error_kind::timeout});
  EXPECT_EQ(d.lines, (std::vector<std::string>{"acquire 3", "wait 7 4", "success 1", "failure 2", "release 3", "call 5",
                                               "end", "timeout"}));
}

TEST(Shared, PassesOnWhatAGateIsTold) {
  diary d;
  shared const g{diary_gate{d}};
  EXPECT_EQ(*g.try_enter(anew::time_point{3ns}).pass, 9);
  EXPECT_EQ(g.try_enter(anew::time_point{100ns}).wait, 5ns);
  g.on_success(1, anew::time_point{4ns});
  g.on_failure(2, failure{.kind = anew::error_kind::server}, anew::time_point{5ns});
  g.release(3);
  EXPECT_TRUE(g.would_refuse(anew::time_point{100ns}));
  EXPECT_FALSE(g.would_refuse(anew::time_point{99ns}));
  EXPECT_EQ(d.lines, (std::vector<std::string>{"enter 3", "enter 100", "success 1 4", "server 2 5", "release 3"}));
}

TEST(Shared, PassesOnWhatAPacerIsTold) {
  diary d;
  shared const p{support::diary_pacer{d}};
  int ticket = 0;
  EXPECT_EQ(p.ask(ticket, anew::time_point{3ns}).wait, 5ns);
  EXPECT_EQ(ticket, 5);
  EXPECT_EQ(p.ask(ticket, anew::time_point{8ns}).wait, 0ns);
  EXPECT_EQ(ticket, 0);
  p.on_success(anew::time_point{9ns});
  p.on_failure(failure{.kind = anew::error_kind::throttling}, anew::time_point{10ns});
  p.release(5);
  EXPECT_EQ(d.lines, (std::vector<std::string>{"ask 0 3", "ask 5 8", "success 9", "throttling 10", "release 5"}));
}

#if ANEW_EXCEPTIONS  // which a gate that refuses needs
TEST(Shared, AGateInAStrategy) {
  diary d;
  auto const s = anew::compose(shared{diary_gate{d}}, anew::retry_all{}, anew::no_backoff{}, support::clock_at_3ns{});
  EXPECT_TRUE(anew::retry(s, [] { return true; }));
  EXPECT_EQ(d.lines, (std::vector<std::string>{"enter 3", "success 9 3"}));
}
#endif

TEST(Shared, DescribesItselfAndWhatItShares) {
  EXPECT_EQ(shared<token_bucket<500>>{}.describe(), "shared(token_bucket(500))");
  EXPECT_EQ((shared{token_bucket{70}}.describe()), "shared(token_bucket(70))");
}

}  // namespace
}  // namespace sharing_shared_test
