// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/backoff/constant.hpp"
#include "anew/compose/strategy.hpp"
#include "anew/hint/pushback.hpp"
#include "anew/jitter/no_jitter.hpp"

#include "rejection.hpp"

namespace hint_pushback_test {
namespace {

using namespace std::chrono_literals;
using anew::delay_origin;

TEST(PushbackHint, IsTheDelayItself) {
  anew::pushback_hint<10s> const hint{};
  for (anew::duration const asked : {anew::duration{0s}, anew::duration{5ms}, anew::duration{10s}}) {
    auto const planned = hint.resolve(1s, asked, 2s);
    ASSERT_TRUE(planned);
    EXPECT_EQ(planned->delay, asked);
    EXPECT_EQ(planned->origin, delay_origin::hint);
  }
  EXPECT_FALSE(hint.resolve(1s, 10s + 1ns, 20s));
  EXPECT_EQ(hint.describe(), "pushback_hint(10s)");
  EXPECT_EQ(anew::pushback_hint<>{}.describe(), "pushback_hint(60s)");
}

TEST(PushbackHint, RunTimeValues) {
  anew::pushback_hint const hint{250ms};
  EXPECT_TRUE(hint.resolve(1s, 250ms, 2s));
  EXPECT_FALSE(hint.resolve(1s, 251ms, 2s));
  EXPECT_TRUE((anew::pushback_hint{0s}.resolve(1s, 0s, 2s)));
  EXPECT_REJECTED(anew::pushback_hint{-1ms}, "anew::pushback_hint: longest must not be negative, but is -1ms");
}

TEST(PushbackHint, ReplacesTheComputedDelay) {
  anew::strategy<anew::constant_backoff<1s>, anew::no_jitter, anew::pushback_hint<10s>> const strategy{};
  auto const shorter = strategy.refresh_retry_token(
      strategy.acquire_initial_token(), anew::failure{anew::error_kind::transient, anew::retry_safety::yes, 7ms});
  ASSERT_TRUE(shorter);
  EXPECT_EQ(shorter->delay(), 7ms);
  auto const too_long = strategy.refresh_retry_token(
      strategy.acquire_initial_token(), anew::failure{anew::error_kind::transient, anew::retry_safety::yes, 11s});
  ASSERT_FALSE(too_long);
  EXPECT_EQ(too_long.reason(), anew::stop_reason::hint_too_long);
}

TEST(PushbackHint, ANegativeDelayEndsTheCall) {
  anew::strategy<anew::constant_backoff<1s>, anew::no_jitter, anew::pushback_hint<10s>> const strategy{};
  for (anew::duration const asked : {anew::duration{-1ns}, anew::duration{-5s}, anew::duration::min()}) {
    auto const refused = strategy.refresh_retry_token(
        strategy.acquire_initial_token(), anew::failure{anew::error_kind::transient, anew::retry_safety::yes, asked});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.reason(), anew::stop_reason::not_retryable);
  }
}

static_assert(anew::Hint<anew::pushback_hint<>>);
static_assert(std::is_empty_v<anew::pushback_hint<>>);
static_assert(anew::pushback_hint<0s>::is_sound);
static_assert(!anew::pushback_hint<-1s>::is_sound);

}  // namespace
}  // namespace hint_pushback_test
