// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/gate/circuit_breaker.hpp"
#include "anew/testing/recording_sleeper.hpp"

#include "driver_support.hpp"
#include "recording_quota.hpp"

namespace retry_one_shot_test {
namespace {

using anew::one_shot;
using anew::stop_reason;
using anew::testing::recording_sleeper;
using support::recorder;
using story = std::vector<std::string>;

using any_error = anew::strategy<anew::retry_all, anew::no_backoff, anew::max_attempts<3>>;

TEST(OneShot, AnyFailureIsTheLast) {
  int calls = 0;
  recording_sleeper sleeper;
  auto const outcome = anew::retry_outcome(any_error{}, one_shot([&] { return ++calls > 1; }), sleeper);
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(sleeper.delays.empty());
  EXPECT_EQ(outcome.reason(), stop_reason::not_replayable);
  EXPECT_EQ(outcome.attempts(), 1U);
  EXPECT_TRUE(outcome.has_result());
  EXPECT_FALSE(outcome.result());
}

TEST(OneShot, ASuccessIsASuccess) {
  auto const outcome = anew::retry_outcome(any_error{}, one_shot([] { return true; }));
  EXPECT_EQ(outcome.reason(), stop_reason::succeeded);
  EXPECT_TRUE(outcome.result());
}

TEST(OneShot, IsToldItsAttempt) {
  std::uint32_t number = 0;
  (void)anew::retry(any_error{}, one_shot([&](anew::attempt& attempt) {
                      number = attempt.number();
                      return false;
                    }));
  EXPECT_EQ(number, 1U);
}

TEST(OneShot, TheObserverHearsThatItIsFinal) {
  recorder::heard heard;
  auto const strategy = anew::compose(anew::retry_all{}, recorder{heard});
  (void)anew::retry(strategy, one_shot([] { return false; }));
  EXPECT_EQ(heard.story, (story{"attempt 1 may be retried", "end not_replayable after 1"}));
  EXPECT_TRUE(heard.attempts.at(0).is_final);
}

TEST(OneShot, WinsOverIdempotentInEitherOrder) {
  int calls = 0;
  auto const fails = [&] {
    ++calls;
    return false;
  };
  (void)anew::retry(any_error{}, anew::idempotent(one_shot(fails)));
  EXPECT_EQ(calls, 1);
  (void)anew::retry(any_error{}, one_shot(anew::idempotent(fails)));
  EXPECT_EQ(calls, 2);
  auto const named = one_shot(fails);
  EXPECT_EQ(anew::retry_outcome(any_error{}, named).reason(), stop_reason::not_replayable);
  EXPECT_EQ(calls, 3);
}

struct maybe_error {
  [[nodiscard]] static anew::retry_safety is_retry_safe() { return anew::retry_safety::maybe; }
};
struct result {
  [[nodiscard]] static bool has_value() { return false; }
  [[nodiscard]] static maybe_error error() { return {}; }
};
TEST(OneShot, IsTheReasonWhateverTheError) {
  EXPECT_EQ(anew::retry_outcome(anew::strategy<>{}, one_shot([] { return result{}; })).reason(),
            stop_reason::not_replayable);
}

#if ANEW_EXCEPTIONS
TEST(OneShot, ChargesNothingAndTellsTheGate) {
  support::recording_quota const quota;
  auto const strategy = anew::compose(anew::retry_all{}, support::recording_quota{quota},
                                      anew::circuit_breaker<1, std::chrono::hours{1}>{});
  (void)anew::retry(strategy, one_shot([] { return false; }));
  EXPECT_TRUE(quota.book().empty());
  EXPECT_EQ(strategy.gate().state(), anew::breaker_state::open);
}

TEST(OneShot, ItsExceptionComesBackUntouched) {
  int calls = 0;
  auto const throws = [&]() -> unsigned { throw ++calls; };
  EXPECT_THROW((void)anew::retry(any_error{}, one_shot(throws)), int);
  EXPECT_EQ(calls, 1);
}
#endif

}  // namespace
}  // namespace retry_one_shot_test
