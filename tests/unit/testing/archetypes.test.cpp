// SPDX-License-Identifier: BSL-1.0
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/testing/archetypes.hpp"

namespace testing_archetypes_test {
namespace {

using namespace anew::testing;

static_assert(anew::Backoff<least_backoff> && anew::Jitter<least_jitter> && anew::Jitter<least_remembering_jitter>);
static_assert(anew::Quota<least_quota> && anew::Classifier<least_classifier> && anew::MaxAttempts<least_max_attempts>);
static_assert(anew::Hint<least_hint> && anew::Deadline<least_deadline> && anew::Observer<least_observer>);
static_assert(anew::Gate<least_gate> && anew::Reset<least_reset> && anew::Nesting<least_nesting>);
static_assert(anew::History<least_history> && anew::Clock<least_clock>);
static_assert(anew::RandomSourcePolicy<least_random_source> && anew::Operation<least_operation>);
static_assert(anew::Sleeper<least_sleeper> && anew::StopToken<least_stop_token>);
static_assert(anew::RetryToken<least_token> && anew::RetryStrategy<least_strategy>);

// The least has nothing that a concept leaves to the model.
template <class T>
concept SaysMore = requires(T const& t) { t.describe(); } || requires(T const& t) { t.cap(); };
static_assert(!SaysMore<least_backoff> && !SaysMore<least_quota> && !SaysMore<least_deadline>);

TEST(Archetypes, MakeAStrategyOfNothingElse) {
  using everything = anew::strategy<least_backoff, least_jitter, least_quota, least_classifier, least_max_attempts,
                                    least_hint, least_deadline, least_observer, least_clock, least_random_source>;
  everything const strategy;
  EXPECT_TRUE(anew::retry(strategy, least_operation{}, least_sleeper{}, least_stop_token{}));
  auto const next = strategy.refresh_retry_token(strategy.acquire_initial_token(), anew::failure{});
  ASSERT_TRUE(next.has_value());
  EXPECT_GT(next->delay(), anew::duration::zero());
  EXPECT_LE(next->delay(), least_backoff{}.delay(1));
}

TEST(Archetypes, TheLeastStrategyRetriesOnceWhatIsSafe) {
  least_strategy const strategy;
  auto first = strategy.refresh_retry_token(strategy.acquire_initial_token(), anew::failure{});
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(strategy.refresh_retry_token(*std::move(first), anew::failure{}).reason(), anew::stop_reason::attempts);
  anew::failure const unsafe{.safety = anew::retry_safety::no};
  EXPECT_EQ(strategy.refresh_retry_token(strategy.acquire_initial_token(), unsafe).reason(),
            anew::stop_reason::not_retryable);
}

TEST(Archetypes, TheLeastStrategyIsDriven) {
  struct busy {
    [[nodiscard]] anew::retry_safety is_retry_safe() const { return anew::retry_safety::yes; }
  };
  struct answer {
    bool good;
    [[nodiscard]] bool has_value() const { return good; }
    [[nodiscard]] busy error() const { return {}; }
  };
  int calls = 0;
  EXPECT_TRUE(anew::retry(least_strategy{}, [&] { return answer{++calls == 2}; }, least_sleeper{}).good);
  EXPECT_FALSE(anew::retry(least_strategy{}, [&] { return answer{++calls == 5}; }, least_sleeper{}).good);
  EXPECT_EQ(calls, 4);
}

}  // namespace
}  // namespace testing_archetypes_test
