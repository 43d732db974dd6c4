// SPDX-License-Identifier: BSL-1.0
// What is left of the virtual interface where exceptions or RTTI are switched off; compiled with them too.
#include <chrono>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/testing/manual_clock.hpp"
#include "anew/virtual.hpp"

#include "failed_answer.hpp"
#include "names.hpp"

namespace virtual_without_exceptions_test {
namespace {

using anew::retry_token;

using support::problem;
struct answer : support::answer {};

}  // namespace
}  // namespace virtual_without_exceptions_test

// A view may be of a strategy whose gate refuses: without exceptions the result says so.
template <>
struct anew::refused_result<virtual_without_exceptions_test::answer> {
  static virtual_without_exceptions_test::answer make(anew::stop_reason /*why*/) { return {{support::problem{true}}}; }
};

namespace virtual_without_exceptions_test {
namespace {

using plain = anew::strategy<anew::constant_backoff<5ms>, anew::no_jitter, anew::token_bucket<100>>;

/// Two attempts.
class own final : public anew::retry_strategy {
  retry_token on_acquire() const override { return issue({}, std::uint64_t{42}); }
  retry_token on_refresh(retry_token&& token, anew::failure const& /*what*/) const override {
    EXPECT_EQ(state_of<std::uint64_t>(token), 42U);
    if (token.attempt() == 2) return refuse(stop_reason::attempts);
    return issue({.delay = 1ms, .attempt = token.attempt() + 1}, std::uint64_t{42});
  }
};

TEST(VirtualWithoutExceptions, TheFormThatReturns) {
  anew::virtual_strategy<plain> const strategy;
  auto token = strategy.try_acquire_initial_token();
  ASSERT_TRUE(token.has_value());
  auto next = strategy.try_refresh_retry_token(*std::move(token), problem{});
  ASSERT_TRUE(next.has_value());
  EXPECT_EQ(next->delay(), 5ms);
  strategy.record_success(*std::move(next));
  EXPECT_EQ(strategy.strategy().quota().balance(), 100U);
  auto const refused = strategy.try_refresh_retry_token(*strategy.try_acquire_initial_token(), problem{true});
  EXPECT_EQ(refused.reason(), stop_reason::not_retryable);
}

TEST(VirtualWithoutExceptions, DrivesACall) {
  anew::virtual_strategy<plain> const strategy;
  anew::testing::recording_sleeper sleep;
  int calls = 0;
  auto const result =
      anew::retry(anew::strategy_view{strategy}, [&] { return ++calls < 3 ? answer{{problem{}}} : answer{}; }, sleep);
  EXPECT_TRUE(result.has_value());
  EXPECT_EQ(sleep.delays, (std::vector<anew::duration>{5ms, 5ms}));
}

TEST(VirtualWithoutExceptions, DrivesAStrategyOfAUsersOwn) {
  own const strategy;
  auto const told = anew::retry_outcome(anew::strategy_view{strategy}, [] { return answer{{problem{}}}; }, no_sleep);
  EXPECT_EQ(told.attempts(), 2U);
  EXPECT_EQ(told.reason(), stop_reason::attempts);
}

#if ANEW_EXCEPTIONS
struct busy : anew::retry_info {
  [[nodiscard]] anew::retry_safety is_retry_safe() const override { return anew::retry_safety::yes; }
};
struct busy_exception : std::exception, busy {};

TEST(VirtualWithoutRtti, AnExceptionInFlightIsKnownAllTheSame) {
  anew::virtual_strategy<plain> const composed;
  own const written;
  auto const attempts = [&](anew::retry_strategy const& strategy, auto const& error) {
    return anew::retry_outcome(anew::strategy_view{strategy}, [&]() -> answer { throw error; }, no_sleep).attempts();
  };
  EXPECT_EQ(attempts(composed, busy{}), 3U);
  EXPECT_EQ(attempts(composed, busy_exception{}), 3U);
  EXPECT_EQ(attempts(composed, std::exception{}), 1U);
  EXPECT_EQ(attempts(composed, 1), 1U);
  EXPECT_EQ(attempts(written, busy{}), 2U);
  EXPECT_EQ(attempts(written, busy_exception{}), 2U);
  EXPECT_EQ(attempts(written, std::exception{}), 1U);
}

TEST(VirtualWithoutRtti, SoIsOneByPointerOrByItsStaticType) {
  anew::virtual_strategy<plain> const strategy;
  auto const refreshes = [&](auto const& error) {
    return strategy.try_refresh_retry_token(strategy.acquire_initial_token(), error).has_value();
  };
  EXPECT_TRUE(refreshes(std::make_exception_ptr(busy_exception{})));
  EXPECT_TRUE(refreshes(std::make_exception_ptr(busy{})));
  EXPECT_TRUE(refreshes(busy_exception{}));
  EXPECT_TRUE(refreshes(busy{}));
  EXPECT_FALSE(refreshes(std::exception{}));
  EXPECT_FALSE(refreshes(std::make_exception_ptr(1)));
}
#else
TEST(VirtualWithoutExceptionsDeathTest, AnErrorThatNobodyReadsEndsTheProgram) {
  anew::virtual_strategy<plain> const strategy;
  EXPECT_DEATH(static_cast<void>(anew::virtual_classifier{strategy}.classify(7)),
               "anew::strategy_view requires a strategy that reads the operation's result; the strategy does not read "
               "int. Name the type");
}

TEST(VirtualWithoutExceptionsDeathTest, AMisusedTokenEndsTheProgram) {
  anew::virtual_strategy<plain> const strategy;
  EXPECT_DEATH(strategy.record_success(retry_token{}),
               "anew::retry_strategy::record_success requires an unused token that this strategy issued; the token is "
               "empty");
}
#endif

}  // namespace
}  // namespace virtual_without_exceptions_test
