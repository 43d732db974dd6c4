// SPDX-License-Identifier: BSL-1.0
#include <atomic>
#include <chrono>
#include <exception>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/run_time/virtual/strategy_view.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/virtual.hpp"

#include "driver_support.hpp"
#include "failed_answer.hpp"
#include "names.hpp"

namespace virtual_strategy_view_test {
namespace {

using anew::retry_token, anew::strategy_view, anew::virtual_strategy;
using support::answer, support::problem;

static_assert(anew::RetryStrategy<strategy_view> && std::is_trivially_copyable_v<strategy_view>);
static_assert(anew::Classifier<anew::virtual_classifier>);

using plain = anew::strategy<anew::constant_backoff<10ms>, anew::no_jitter, anew::token_bucket<100>>;

// A strategy of a user's own.

/// Waits 1, 2, 3 ms; four attempts; counts what it is told.
class own final : public anew::retry_strategy {
 public:
  explicit own(bool has_tokens = true) : has_tokens_{has_tokens} {}
  mutable std::atomic<int> successes{0};
  mutable std::atomic<int> failures{0};
  mutable std::atomic<int> asked{0};

 private:
  retry_token on_acquire() const override {
    if (!has_tokens_) return refuse(stop_reason::quota, 50ms);
    return issue({.delay = 500us});
  }
  retry_token on_refresh(retry_token&& token, failure const& /*what*/) const override {
    ++failures;
    if (token.attempt() == 4) return refuse(stop_reason::attempts);
    return issue({.delay = 1ms * token.attempt(), .attempt = token.attempt() + 1});
  }
  void on_success(retry_token&& /*token*/) const override { ++successes; }
  anew::admission_answer on_admit(retry_token& /*token*/, anew::now_view /*now*/) const override {
    ++asked;
    return {};
  }
  bool has_tokens_;
};

TEST(StrategyView, DrivesAStrategyOfAUsersOwn) {
  own const strategy;
  recording_sleeper sleep;
  auto const told = anew::retry_outcome(strategy_view{strategy}, [] { return answer{problem{}}; }, sleep);
  EXPECT_EQ(told.attempts(), 4U);
  EXPECT_EQ(told.reason(), stop_reason::attempts);
  EXPECT_EQ(sleep.delays, (durations{500us, 1ms, 2ms, 3ms})) << "the initial token may carry a delay";
  EXPECT_EQ(strategy.failures, 4);
  EXPECT_EQ(strategy.asked, 4);
  (void)anew::retry(strategy_view{strategy}, [] { return answer{}; }, sleep);
  EXPECT_EQ(strategy.successes, 1);
}

TEST(StrategyView, WithoutAnInitialTokenOneAttemptIsMade) {
  own const strategy{false};
  recording_sleeper sleep;
  auto const told = anew::retry_outcome(strategy_view{strategy}, [] { return answer{problem{}}; }, sleep);
  EXPECT_EQ(told.attempts(), 1U);
  EXPECT_EQ(told.reason(), stop_reason::quota);
  EXPECT_TRUE(anew::retry(strategy_view{strategy}, [] { return answer{}; }, sleep).has_value());
  EXPECT_EQ(sleep.delays, (durations{})) << "it is made at once";
  EXPECT_EQ(strategy.failures, 0);
  EXPECT_EQ(strategy.successes, 0);
  EXPECT_EQ(strategy.asked, 0);
}

TEST(StrategyView, AskedForAdmissionOnlyWhereThatIsWished) {
  virtual_strategy<plain> const strategy;
  strategy_view const view{strategy};
  EXPECT_FALSE(view.needs_admission());
  own const asked{};
  EXPECT_TRUE(strategy_view{asked}.needs_admission());
  EXPECT_EQ(&view.strategy(), &strategy);
  auto token = view.acquire_initial_token();
  EXPECT_EQ(view.admit(token, anew::time_point{}), anew::admission_answer{});
}

/// Logs what another strategy decides: its token carries the other one's.
class logging final : public anew::retry_strategy {
 public:
  explicit logging(anew::retry_strategy const& inner) : inner_{inner} {}
  mutable std::string log;

 private:
  retry_token around(retry_token&& token) const {
    return issue({.delay = token.delay(), .attempt = token.attempt(), .deadline = token.deadline()}, std::move(token));
  }
  retry_token on_acquire() const override { return around(inner_.acquire_initial_token()); }
  retry_token on_refresh(retry_token&& token, failure const& what) const override {
    auto next = inner_.try_refresh_retry_token(std::move(state_of<retry_token>(token)), what);
    log += next ? "+" : to_string(next.reason());
    if (!next) return refuse(next.reason(), next.wait_before_end());
    return around(*std::move(next));
  }
  void on_success(retry_token&& token) const override {
    log += "ok";
    inner_.record_success(std::move(state_of<retry_token>(token)));
  }
  anew::retry_strategy const& inner_;
};

TEST(StrategyView, AStrategyAroundAnother) {
  virtual_strategy<plain> const inner;
  logging const outer{inner};
  int calls = 0;
  (void)anew::retry(strategy_view{outer}, [&] { return ++calls < 3 ? answer{problem{}} : answer{}; }, no_sleep);
  EXPECT_EQ(outer.log, "++ok");
  EXPECT_EQ(inner.strategy().quota().balance(), 86U);
  (void)anew::retry(strategy_view{outer}, [] { return answer{problem{}}; }, no_sleep);
  EXPECT_EQ(outer.log, "++ok++attempts");
}

}  // namespace
}  // namespace virtual_strategy_view_test
