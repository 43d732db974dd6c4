// SPDX-License-Identifier: BSL-1.0
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/nesting/nesting_guard.hpp"

#include "driver_support.hpp"
#include "recording_quota.hpp"

namespace nesting_nesting_guard_test {
namespace {

using anew::nesting_guard;
using anew::stop_reason;
using anew::when_nested;
using support::recording_quota;
using share = nesting_guard<when_nested::share_quota>;
using book = std::vector<std::string>;

constexpr auto no_sleep = [](anew::duration) {};

template <class... Policies>
auto three(Policies... policies) {
  return anew::compose(anew::no_backoff{}, anew::retry_all{}, anew::max_attempts<3>{}, std::move(policies)...);
}

struct counted {
  int calls = 0;
  int good = 1'000'000;
  bool operator()() { return ++calls >= good; }
};

TEST(NestingGuard, WithoutOneRetriesMultiply) {
  auto const outer = three();
  auto const inner = three();
  counted request;
  (void)anew::retry(outer, [&] { return anew::retry(inner, request, no_sleep); }, no_sleep);
  EXPECT_EQ(request.calls, 9);
}

TEST(NestingGuard, ANestedCallMakesOneAttempt) {
  auto const outer = three(nesting_guard<>{});
  auto const inner = three(nesting_guard<>{});
  counted request;
  auto const outcome = anew::retry_outcome(
      outer,
      [&] {
        auto const nested = anew::retry_outcome(inner, request, no_sleep);
        EXPECT_EQ(nested.reason(), stop_reason::nested);
        EXPECT_EQ(nested.attempts(), 1U);
        return nested.succeeded();
      },
      no_sleep);
  EXPECT_EQ(request.calls, 3);
  EXPECT_EQ(outcome.reason(), stop_reason::attempts);
  EXPECT_EQ(outcome.attempts(), 3U);
  EXPECT_FALSE(nesting_guard<>::is_nested());
}

TEST(NestingGuard, ANestedCallThatSucceedsSucceeds) {
  auto const outer = three(nesting_guard<>{});
  counted request{.good = 2};
  EXPECT_TRUE(
      anew::retry(outer, [&] { return anew::retry(outer, request, no_sleep); }, no_sleep));  // the same strategy
  EXPECT_EQ(request.calls, 2);
}

TEST(NestingGuard, BothMustHaveOne) {
  auto const guarded = three(nesting_guard<>{});
  auto const plain = three();
  counted request;
  (void)anew::retry(plain, [&] { return anew::retry(guarded, request, no_sleep); }, no_sleep);
  EXPECT_EQ(request.calls, 9);
  request.calls = 0;
  (void)anew::retry(guarded, [&] { return anew::retry(plain, request, no_sleep); }, no_sleep);
  EXPECT_EQ(request.calls, 9);
}

TEST(NestingGuard, AnUnguardedLayerBetweenDoesNotHideTheOuterOne) {
  auto const guarded = three(nesting_guard<>{});
  auto const plain = three();
  counted request;
  auto const middle = [&] { return anew::retry(guarded, request, no_sleep); };
  (void)anew::retry(guarded, [&] { return anew::retry(plain, middle, no_sleep); }, no_sleep);
  EXPECT_EQ(request.calls, 9);
}

TEST(NestingGuard, OneCallAfterAnotherIsNotNested) {
  auto const strategy = three(nesting_guard<>{});
  for (int i = 0; i < 3; ++i) {
    counted request;
    (void)anew::retry(strategy, request, no_sleep);
    EXPECT_EQ(request.calls, 3);
  }
}

TEST(NestingGuard, ASleeperIsNotInsideTheAttempt) {
  auto const strategy = three(nesting_guard<>{});
  std::vector<bool> seen;
  (void)anew::retry(
      strategy,
      [&] {
        seen.push_back(nesting_guard<>::is_nested());
        return false;
      },
      [&](anew::duration) { seen.push_back(nesting_guard<>::is_nested()); });
  EXPECT_EQ(seen, (std::vector<bool>{true, false, true, false, true}));
}

TEST(NestingGuard, AThreadStartedInsideIsNotNested) {
  auto const strategy = three(nesting_guard<>{});
  counted request;
  (void)anew::retry(
      strategy,
      [&] {
        std::thread other{[&] {
          EXPECT_FALSE(nesting_guard<>::is_nested());
          (void)anew::retry(strategy, request, no_sleep);
        }};
        other.join();
        EXPECT_TRUE(nesting_guard<>::is_nested());
        return true;
      },
      no_sleep);
  EXPECT_EQ(request.calls, 3);
}

TEST(NestingGuard, DeeperNestingCollapsesToo) {
  auto const strategy = three(nesting_guard<>{});
  counted request;
  auto const second = [&] { return anew::retry(strategy, request, no_sleep); };
  auto const first = [&] { return anew::retry(strategy, second, no_sleep); };
  (void)anew::retry(strategy, first, no_sleep);
  EXPECT_EQ(request.calls, 3);
  EXPECT_FALSE(nesting_guard<>::is_nested());
}

TEST(NestingGuard, TheOutersQuotaPaysForANestedRetry) {
  recording_quota const outers;
  recording_quota const inners;
  auto const outer = three(share{}, recording_quota{outers});
  auto const inner = three(share{}, recording_quota{inners});
  counted request{.good = 3};
  EXPECT_TRUE(anew::retry(outer, [&] { return anew::retry(inner, request, no_sleep); }, no_sleep));
  EXPECT_EQ(request.calls, 3);
  EXPECT_EQ(outers.book(), (book{"acquire 1", "failure 1", "acquire 2", "success 2", "success 0"}));
  EXPECT_EQ(inners.book(), book{});
}

TEST(NestingGuard, WhenTheOutersQuotaRefusesTheNestedCallEnds) {
  recording_quota const outers;
  outers.refuse();
  auto const outer = three(share{}, recording_quota{outers});
  auto const inner = three(share{});
  counted request;
  auto const outcome = anew::retry_outcome(
      outer,
      [&] {
        auto const nested = anew::retry_outcome(inner, request, no_sleep);
        EXPECT_EQ(nested.reason(), stop_reason::quota);
        return nested.succeeded();
      },
      no_sleep);
  EXPECT_EQ(outcome.reason(), stop_reason::quota);
  EXPECT_EQ(request.calls, 1);
}

TEST(NestingGuard, AllLayersTogetherSpendTheOutermostsQuota) {
  auto const outer = three(share{}, anew::token_bucket{28});  // two retries
  auto const inner = three(share{}, anew::token_bucket<500>{});
  counted request;
  auto const second = [&] { return anew::retry(inner, request, no_sleep); };
  auto const first = [&] { return anew::retry(inner, second, no_sleep); };
  (void)anew::retry(outer, first, no_sleep);
  EXPECT_EQ(request.calls, 3);  // 27 without a guard
  EXPECT_EQ(outer.quota().balance(), 0U);
  EXPECT_EQ(inner.quota().balance(), 500U);
}

TEST(NestingGuard, ASuccessWithoutARetryIsToldToItsOwnQuota) {
  recording_quota const outers;
  recording_quota const inners;
  auto const outer = three(share{}, recording_quota{outers});
  auto const inner = three(share{}, recording_quota{inners});
  EXPECT_TRUE(anew::retry(outer, [&] { return anew::retry(inner, [] { return true; }, no_sleep); }, no_sleep));
  EXPECT_EQ(inners.book(), book{"success 0"});
  EXPECT_EQ(outers.book(), book{"success 0"});
}

TEST(NestingGuard, NotNestedItsOwnQuotaPays) {
  recording_quota const own;
  auto const strategy = three(share{}, recording_quota{own});
  counted request{.good = 2};
  EXPECT_TRUE(anew::retry(strategy, request, no_sleep));
  EXPECT_EQ(own.book(), (book{"acquire 1", "success 1"}));
}

// A quota whose permit is neither a number nor without a value of its own.
struct pair_permit {
  std::uint16_t which = 0;
  float weight = 0;
  friend bool operator==(pair_permit const&, pair_permit const&) = default;
};
struct pair_quota {
  using role = anew::roles::quota;
  using permit_type = pair_permit;
  std::vector<pair_permit>* released;
  [[nodiscard]] std::optional<pair_permit> try_acquire(anew::failure const&) const { return pair_permit{7, 1.5F}; }
  void on_success(pair_permit) const {}
  void release(pair_permit permit) const { released->push_back(permit); }
};

TEST(NestingGuard, APermitOfTheUsersOwnComesBackAsItWas) {
  std::vector<pair_permit> released;
  auto const outer = three(share{}, pair_quota{&released});
  auto const inner = three(share{});
  (void)anew::retry(
      outer,
      [&] {
        auto token = inner.acquire_initial_token();
        auto next = inner.refresh_retry_token(std::move(token), anew::failure{});
        EXPECT_TRUE(next.has_value());
        return true;  // the retry is never made
      },
      no_sleep);
  EXPECT_EQ(released, (std::vector<pair_permit>{{7, 1.5F}}));
}

TEST(NestingGuard, AnOuterThatHasNothingToLendIsEnough) {
  auto const outer = three(share{});  // unlimited: then only the attempts limit
  auto const inner = three(share{});
  counted request;
  (void)anew::retry(outer, [&] { return anew::retry(inner, request, no_sleep); }, no_sleep);
  EXPECT_EQ(request.calls, 9);
}

// The outer guard collapses, and its quota is one that cannot be lent: the inner one's retries are refused.
struct heavy_permit {
  std::uint64_t words[2]{};
  friend bool operator==(heavy_permit const&, heavy_permit const&) = default;
};
struct heavy_quota {
  using role = anew::roles::quota;
  using permit_type = heavy_permit;
  [[nodiscard]] std::optional<heavy_permit> try_acquire(anew::failure const&) const { return heavy_permit{{1, 1}}; }
  void on_success(heavy_permit) const {}
  void release(heavy_permit) const {}
};
TEST(NestingGuard, AQuotaThatCannotBeLentLendsNothing) {
  auto const outer = three(nesting_guard<>{}, heavy_quota{});
  auto const inner = three(share{});
  counted request;
  (void)anew::retry(
      outer,
      [&] {
        auto const nested = anew::retry_outcome(inner, request, no_sleep);
        EXPECT_EQ(nested.reason(), stop_reason::quota);
        return true;
      },
      no_sleep);
  EXPECT_EQ(request.calls, 1);
}

TEST(NestingGuard, SharingInsideACollapsingOneIsPaidByIt) {
  recording_quota const outers;
  auto const outer = three(nesting_guard<>{}, recording_quota{outers});
  auto const inner = three(share{});
  counted request{.good = 2};
  EXPECT_TRUE(anew::retry(outer, [&] { return anew::retry(inner, request, no_sleep); }, no_sleep));
  EXPECT_EQ(outers.book(), (book{"acquire 1", "success 1", "success 0"}));
}

TEST(NestingGuard, DescribesAndHasNoSize) {
  EXPECT_EQ(nesting_guard<>::describe(), "nesting_guard(collapse)");
  EXPECT_EQ(share::describe(), "nesting_guard(share_quota)");
  static_assert(sizeof(anew::strategy<nesting_guard<>>) == 1);
  static_assert(sizeof(anew::strategy<nesting_guard<>>::token_type) == sizeof(anew::strategy<>::token_type));
  static_assert(!std::is_move_constructible_v<anew::detail::nesting_scope>);
}

#if ANEW_EXCEPTIONS
TEST(NestingGuard, AnExceptionEndsTheFrame) {
  auto const outer = three(share{}, anew::token_bucket<500>{});
  auto const inner = three(share{});
  int calls = 0;
  auto const throws = [&] {
    ++calls;
    throw 1;
  };
  auto const call = [&] { return anew::retry(inner, throws, no_sleep); };
  EXPECT_THROW((void)anew::retry(outer, call, no_sleep), int);
  EXPECT_FALSE(share::is_nested());
  EXPECT_GT(calls, 3);
  calls = 0;
  EXPECT_THROW((void)anew::retry(inner, throws, no_sleep), int);
  EXPECT_EQ(calls, 3);
}
#endif

}  // namespace
}  // namespace nesting_nesting_guard_test
