// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <functional>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "anew/backoff/constant.hpp"
#include "anew/backoff/immediate_first.hpp"
#include "anew/backoff/linear.hpp"
#include "anew/backoff/per_kind.hpp"
#include "anew/hint/jittered.hpp"
#include "anew/hint/server.hpp"
#include "anew/jitter/decorrelated.hpp"
#include "anew/jitter/from_first.hpp"
#include "anew/jitter/full.hpp"
#include "anew/jitter/no_jitter.hpp"
#include "anew/jitter/proportional.hpp"
#include "anew/smithy_kotlin/backoff_delayer.hpp"
#include "anew/testing/advancing_sleeper.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/scripted_random.hpp"

namespace smithy_kotlin_backoff_delayer_test {
namespace {

using namespace std::chrono_literals;
using namespace anew::smithy_kotlin;
using anew::testing::advancing_sleeper;
using anew::testing::highest_word;
using anew::testing::lowest_word;
using anew::testing::manual_clock;
using anew::testing::scripted_random;

backoff_request after(std::uint32_t attempt, retry_error_type reason = retry_error_type::server_side,
                      std::optional<anew::duration> hint = std::nullopt) {
  return {attempt, reason, hint, {}};
}

TEST(PolicyBackoffDelayer, WaitsWhatABackoffSays) {
  manual_clock const clock;
  advancing_sleeper sleep{clock};
  policy_backoff_delayer const delayer{anew::linear_backoff<100ms, 250ms>{}, anew::no_jitter{}, anew::clamped_hint<>{},
                                       anew::thread_random{}, make_time_source(clock, std::ref(sleep))};
  backoff_delayer const& abstract = delayer;
  abstract.backoff(1);
  abstract.backoff(2);
  abstract.backoff(3);
  EXPECT_EQ(sleep.delays, (std::vector<anew::duration>{100ms, 200ms, 250ms}));
}

TEST(PolicyBackoffDelayer, AttemptsCountFromOne) {
  policy_backoff_delayer const delayer{anew::constant_backoff<1s>{}, anew::no_jitter{}};
  EXPECT_THROW(delayer.backoff(0), std::invalid_argument);
  EXPECT_EQ(delayer.delay(after(~std::uint32_t{0})), 1s);
}

TEST(PolicyBackoffDelayer, JitterIsDrawn) {
  policy_backoff_delayer const full{anew::constant_backoff<1s>{}, anew::full_jitter{}, anew::clamped_hint<>{},
                                    scripted_random{lowest_word, highest_word}};
  EXPECT_EQ(full.delay(after(1)), 0s);
  EXPECT_EQ(full.delay(after(1)), 1s);
  policy_backoff_delayer const around{anew::linear_backoff<1s, 10s>{},
                                      anew::proportional_jitter<anew::rational{1, 2}>{}, anew::clamped_hint<>{},
                                      scripted_random{lowest_word, highest_word}};
  EXPECT_EQ(around.delay(after(4)), 2s);
  EXPECT_EQ(around.delay(after(4)), 6s);
}

TEST(PolicyBackoffDelayer, BackoffsThatKnowKindsAreTold) {
  policy_backoff_delayer const delayer{
      anew::per_kind_backoff<anew::for_kind<anew::error_kind::throttling, anew::linear_backoff<1s, 20s>>,
                             anew::linear_backoff<1ms, 20s>>{},
      anew::no_jitter{}};
  EXPECT_EQ(delayer.delay(after(3, retry_error_type::throttling)), 3s);
  EXPECT_EQ(delayer.delay(after(3, retry_error_type::timeout)), 3ms);
}

TEST(PolicyBackoffDelayer, HintsAreThePolicysMatter) {
  policy_backoff_delayer const clamped{anew::constant_backoff<1s>{}, anew::no_jitter{}, anew::clamped_hint<2s>{}};
  EXPECT_EQ(clamped.delay(after(1, retry_error_type::timeout, 500ms)), 1s);
  EXPECT_EQ(clamped.delay(after(1, retry_error_type::timeout, 2500ms)), 2500ms);
  EXPECT_EQ(clamped.delay(after(1, retry_error_type::timeout, 1h)), 3s);
  EXPECT_EQ(clamped.delay(after(1, retry_error_type::timeout, -1s)), 1s);
  policy_backoff_delayer const strict{anew::constant_backoff<1s>{}, anew::no_jitter{}, anew::server_hint<>{}};
  EXPECT_EQ(strict.delay(after(1, retry_error_type::timeout, 1h)), 1s);
  policy_backoff_delayer const spread{
      anew::constant_backoff<4s>{}, anew::no_jitter{},
      anew::jittered_hint<anew::rational{1, 2}, anew::server_hint<anew::long_hint::stop, 20s>>{},
      scripted_random{highest_word}};
  EXPECT_GT(spread.delay(after(1, retry_error_type::timeout, 6s)), 6s);
}

// As in a strategy: nothing grows from zero, so the second delay is the least where the first retry is made at once.
TEST(PolicyBackoffDelayer, AJitterIsToldOfTheFirstDelayAboveZero) {
  policy_backoff_delayer const delayer{anew::immediate_first<anew::constant_backoff<1s>>{}, anew::from_first_jitter{},
                                       anew::clamped_hint<>{}, scripted_random{0}};
  EXPECT_EQ(delayer.delay(after(1)), 0s);
  EXPECT_EQ(delayer.delay(after(3)), 1s);
}

TEST(PolicyBackoffDelayer, ALimitEndsIt) {
  manual_clock const clock;
  advancing_sleeper sleep{clock};
  policy_backoff_delayer const delayer{anew::constant_backoff<1s>{}, anew::no_jitter{}, anew::clamped_hint<>{},
                                       anew::thread_random{}, make_time_source(clock, std::ref(sleep))};
  auto request = after(1);
  request.limit.until = clock.peek() + 1s;
  EXPECT_THROW(delayer.backoff(request), wait_ended);
  EXPECT_TRUE(sleep.delays.empty());
}

TEST(PolicyBackoffDelayer, OnlyJittersThatForget) {
  static_assert(anew::smithy_kotlin::detail::has_no_state_within_a_call<anew::full_jitter>);
  static_assert(
      anew::smithy_kotlin::detail::has_no_state_within_a_call<anew::proportional_jitter<anew::rational{1, 2}>>);
  static_assert(!anew::smithy_kotlin::detail::has_no_state_within_a_call<anew::decorrelated_jitter>);
}

}  // namespace
}  // namespace smithy_kotlin_backoff_delayer_test
