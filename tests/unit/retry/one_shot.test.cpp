// SPDX-License-Identifier: BSL-1.0
#include <cstdint>

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

using any_error = anew::strategy<anew::retry_all, anew::no_backoff, anew::max_attempts<3>>;

TEST(OneShot, IsToldItsAttempt) {
  std::uint32_t number = 0;
  (void)anew::retry(any_error{}, one_shot([&](anew::attempt& attempt) {
                      number = attempt.number();
                      return false;
                    }));
  EXPECT_EQ(number, 1U);
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

}  // namespace
}  // namespace retry_one_shot_test
