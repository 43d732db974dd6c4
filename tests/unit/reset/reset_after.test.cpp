// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/limits/reset_after.hpp"
#include "anew/testing/manual_clock.hpp"

#include "names.hpp"

namespace reset_reset_after_test {
namespace {

using anew::reset_after;

/// A connection that lives for so long, each time it is made, and then breaks.
struct connection {
  manual_clock clock;
  std::vector<duration> lives;
  std::size_t made = 0;
  bool operator()() {
    clock.advance(lives.at(made++));
    return false;
  }
};

auto strategy_of(manual_clock const& clock) {
  return anew::compose(anew::exponential_backoff<1s, 60s>{}, anew::no_jitter{}, anew::retry_all{},
                       anew::max_attempts<3>{}, reset_after<30s>{}, manual_clock{clock});
}

TEST(ResetAfter, AConnectionThatLastedGetsItsAttemptsAndItsFirstDelayAgain) {
  manual_clock const clock;
  auto const strategy = strategy_of(clock);
  connection broken{clock, {0s, 0s, 1h, 0s, 30s, 0s, 29s}};
  advancing_sleeper sleeper{clock};
  auto const outcome = anew::retry_outcome(strategy, broken, sleeper);
  EXPECT_EQ(outcome.reason(), stop_reason::attempts);
  EXPECT_EQ(outcome.attempts(), 7U);  // the number goes on
  EXPECT_EQ(sleeper.delays, (std::vector<duration>{1s, 2s, 1s, 2s, 1s, 2s}));
}

// What was slept is no part of the run.
TEST(ResetAfter, TheSleepDoesNotCount) {
  manual_clock const clock;
  auto const strategy = strategy_of(clock);
  connection broken{clock, {20s, 20s, 20s}};
  advancing_sleeper sleeper{clock, 15s};
  EXPECT_EQ(anew::retry_outcome(strategy, broken, sleeper).attempts(), 3U);
}

// A hand-written loop that never asks for admission has no beginning of its attempts to tell.
TEST(ResetAfter, ALoopOfYourOwnAsksForAdmission) {
  manual_clock const clock;
  auto const strategy = strategy_of(clock);
  auto token = strategy.acquire_initial_token();
  for (int run = 0; run < 10; ++run) {
    ASSERT_TRUE(strategy.admit(token, strategy.now()).begins());
    clock.advance(31s);
    auto next = strategy.refresh_retry_token(std::move(token), anew::failure{});
    ASSERT_TRUE(next.has_value()) << run;
    EXPECT_EQ(next->delay(), 1s);
    token = *std::move(next);
  }
  EXPECT_EQ(token.attempt(), 11U);
}

}  // namespace
}  // namespace reset_reset_after_test
