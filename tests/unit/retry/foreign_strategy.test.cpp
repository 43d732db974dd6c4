// SPDX-License-Identifier: BSL-1.0
// Strategies that are not composed of policies: the three functions, and nothing more, are what the driver needs.
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/testing/manual_clock.hpp"

#include "failed_answer.hpp"
#include "names.hpp"

namespace retry_foreign_strategy_test {
namespace {

/// The least that a strategy is: three attempts, and no classifier.
struct minimal {
  struct token_type {
    int attempt = 1;
    [[nodiscard]] static anew::duration delay() noexcept { return 10ms; }
  };
  [[nodiscard]] static token_type acquire_initial_token() { return {}; }
  [[nodiscard]] static anew::refreshed<token_type> refresh_retry_token(token_type&& t, anew::failure const& /*what*/) {
    if (t.attempt >= 3) return stop_reason::attempts;
    return token_type{t.attempt + 1};
  }
  static void record_success(token_type&& /*t*/) {}
};
static_assert(anew::RetryStrategy<minimal>);

/// The same with a classifier.
struct classifying : minimal {
  [[nodiscard]] static anew::retry_all classifier() { return {}; }
};
static_assert(anew::RetryStrategy<classifying>);

using busy = support::fault;
using answer = support::answer_of<busy>;

TEST(RetryForeignStrategy, WithoutAClassifierTheDefaultOneReads) {
  auto const final_error = [] { return answer{busy{anew::retry_safety::no}}; };
  auto const told = anew::retry_outcome(minimal{}, final_error, no_sleep);
  EXPECT_EQ(told.attempts(), 1U) << "what may not be retried is not, whatever the strategy answers";
  EXPECT_EQ(told.reason(), stop_reason::not_retryable);
  auto const maybe = [] { return answer{busy{anew::retry_safety::maybe}}; };
  EXPECT_EQ(anew::retry_outcome(minimal{}, maybe, no_sleep).reason(), stop_reason::not_idempotent);
  EXPECT_EQ(anew::retry_outcome(minimal{}, anew::idempotent(maybe), no_sleep).attempts(), 3U);
  auto const by_another = anew::retry_outcome(classifying{}, final_error, no_sleep);
  EXPECT_EQ(by_another.attempts(), 3U) << "with a classifier, that one reads";
}

/// A strategy with a deadline and a clock of its own.
struct bounded {
  static constexpr bool has_deadline = true;
  struct token_type {
    anew::time_point until;
    anew::duration before{};
    [[nodiscard]] anew::time_point deadline() const noexcept { return until; }
    [[nodiscard]] anew::duration delay() const noexcept { return before; }
  };
  anew::testing::manual_clock clock;

  [[nodiscard]] anew::time_point now() const { return clock.now(); }
  [[nodiscard]] token_type acquire_initial_token() const { return {now() + 10s}; }
  [[nodiscard]] anew::refreshed<token_type> refresh_retry_token(token_type&& t, anew::failure const& what) const {
    return refresh_retry_token(std::move(t), what, now());
  }
  [[nodiscard]] anew::refreshed<token_type> refresh_retry_token(token_type&& t, anew::failure const& /*what*/,
                                                                anew::time_point now) const {
    if (now + 1s >= t.until) return stop_reason::deadline;
    return token_type{t.until, 1s};
  }
  static void record_success(token_type&& /*t*/) {}
};
static_assert(anew::RetryStrategy<bounded>);

TEST(RetryForeignStrategy, DeadlineOfItsOwnReachesTheAttempt) {
  anew::testing::manual_clock clock;
  auto const until = clock.peek() + 10s;
  durations remaining;
  anew::testing::advancing_sleeper sleep{clock};
  auto const told = anew::retry_outcome(
      bounded{clock},
      [&](anew::attempt& a) {
        EXPECT_EQ(a.deadline(), until);
        remaining.push_back(a.remaining());
        clock.advance(3s);
        return answer{busy{}};
      },
      sleep);
  EXPECT_EQ(remaining, (durations{10s, 6s, 2s}));
  EXPECT_EQ(told.reason(), stop_reason::deadline);
  EXPECT_TRUE(anew::retry(bounded{clock}, [](anew::attempt& /*a*/) { return answer{}; }).has_value());
}

}  // namespace
}  // namespace retry_foreign_strategy_test
