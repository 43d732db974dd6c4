// SPDX-License-Identifier: BSL-1.0
// What other retry code in C++ was seen to do, found by running it: the same input, and what should come of it.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stop_token>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/hint/retry_after.hpp"
#include "anew/testing/manual_clock.hpp"

namespace {

using namespace std::chrono_literals;
using anew::duration;
using anew::failure;

constexpr auto no_sleep = [](duration) {};

int calls_of(auto const& strategy) {
  int calls = 0;
  static_cast<void>(anew::retry(strategy, [&calls] { return ++calls < 0; }, no_sleep));
  return calls;
}

// azure-core: a date in Retry-After, nothing, or too large a number escaped as an exception of std::stoi.
TEST(PeerDefects, NoValueOfRetryAfterEscapes) {
  std::chrono::sys_seconds const now{std::chrono::sys_days{std::chrono::year{2026} / 11 / 20}};
  EXPECT_EQ(anew::parse_retry_after("Fri, 31 Dec 1999 23:59:59 GMT", now), 0ns);
  EXPECT_EQ(anew::parse_retry_after("", now), std::nullopt);
  EXPECT_GE(anew::parse_retry_after("99999999999", now), 1h);
}

// azure-core: a header's delay of an hour was slept whole, although the longest was a minute, and nothing woke it.
TEST(PeerDefects, AnHourOfRetryAfterIsNotSlept) {
  using stubborn = anew::strategy<anew::exponential_backoff<1s, 60s>, anew::server_hint<anew::long_hint::clamp>>;
  auto const clamped =
      stubborn{}.refresh_retry_token(stubborn{}.acquire_initial_token(), failure{.hint = duration{3600s}});
  EXPECT_EQ(clamped->delay(), 60s);
  using usual = anew::strategy<anew::exponential_backoff<1s, 60s>>;
  auto const refused = usual{}.refresh_retry_token(usual{}.acquire_initial_token(), failure{.hint = duration{3600s}});
  EXPECT_EQ(refused.reason(), anew::stop_reason::hint_too_long);
}

TEST(PeerDefects, AStopWakesTheSleeper) {
  using patient = anew::strategy<anew::constant_backoff<1h>, anew::no_jitter, anew::retry_all>;
  std::stop_source stop;
  std::jthread stopper;
  int calls = 0;
  auto const outcome = anew::retry_outcome(
      patient{},
      [&] {
        ++calls;
        stopper = std::jthread{[&stop] { stop.request_stop(); }};
        return false;
      },
      stop.get_token());
  EXPECT_EQ(outcome.reason(), anew::stop_reason::cancelled);
  EXPECT_EQ(calls, 1);
}

// RetryPP: "Immediate" ended in std::terminate, because the base class rejects a delay of zero.
TEST(PeerDefects, RetryingAtOnceIsAStrategy) {
  EXPECT_EQ(calls_of(anew::strategy<anew::no_backoff, anew::retry_all>{}), 3);
  EXPECT_EQ(calls_of(anew::strategy<anew::constant_backoff<0ns>, anew::retry_all>{}), 3);
  EXPECT_EQ(calls_of(anew::compose(anew::constant_backoff{0ns}, anew::retry_all{})), 3);
}

// RetryPP: TimeLimit(1000ms) had 999,999,944 ms left; with a limit of 200 ms and a delay of 1500 ms it slept 1500 ms.
TEST(PeerDefects, WhatRemainsOfATimeLimitIsInItsUnitAndBoundsTheSleep) {
  anew::testing::manual_clock const clock;
  auto const s = anew::compose(anew::deadline{1000ms}, anew::constant_backoff{1500ms}, anew::no_jitter{},
                               anew::retry_all{}, anew::unbounded{}, clock);
  duration remaining{};
  std::vector<duration> slept;
  auto const outcome = anew::retry_outcome(
      s,
      [&](anew::attempt& a) {
        remaining = a.remaining();
        return false;
      },
      [&](duration d) { slept.push_back(d); });
  EXPECT_EQ(remaining, 1000ms);
  EXPECT_TRUE(slept.empty());
  EXPECT_EQ(outcome.reason(), anew::stop_reason::deadline);
}

// RetryPP: RetryLimit(3) made three calls, two retries. Here the word says that calls are counted.
TEST(PeerDefects, AttemptsAreCalls) {
  for (std::uint32_t n = 1; n <= 5; ++n) {
    EXPECT_EQ(calls_of(anew::compose(anew::max_attempts{n}, anew::no_backoff{}, anew::retry_all{})),
              static_cast<int>(n));
  }
}

// RetryPP, shield, backoffxx: with base 1 s and cap 20 s the delay was negative from retry 55, or from retry 32.
TEST(PeerDefects, DelaysStayAtTheCapForEver) {
  constexpr anew::exponential_backoff<1s, 20s> b{};
  for (std::uint32_t const retry : {6U, 31U, 32U, 33U, 54U, 55U, 63U, 64U, 65U, 1000U, ~0U}) {
    EXPECT_EQ(b.delay(retry), 20s) << retry;
  }
}

// retryxx: did not compile on Linux, for std::min of two types of duration.
TEST(PeerDefects, DurationsOfAnyUnitMix) {
  auto const s = anew::compose(anew::exponential_backoff{std::chrono::duration<double>{0.25}, 1min},
                               anew::deadline{std::chrono::duration<int, std::ratio<3600>>{1}}, anew::unbounded{});
  EXPECT_EQ(s.backoff().delay(1), 250ms);
  EXPECT_EQ(s.deadline().total(), 1h);
}

// pulsar: two backoffs made in one second were alike, and the first delay was always the same.
TEST(PeerDefects, StrategiesMadeInOneMomentDiffer) {
  using full = anew::strategy<anew::exponential_backoff<1h, 24h>, anew::retry_all>;
  std::vector<duration> first;
  for (int i = 0; i < 100; ++i) {
    full const s;
    first.push_back(s.refresh_retry_token(s.acquire_initial_token(), failure{})->delay());
  }
  std::size_t alike = 0;
  for (std::size_t i = 1; i < first.size(); ++i) alike += first[i] == first[i - 1] ? 1U : 0U;
  EXPECT_EQ(alike, 0U);
}

// stdexec's example, folly: each retry that completes at once took more stack, until there was none left.
TEST(PeerDefects, AMillionRetriesTakeNoStack) {
  using endless = anew::strategy<anew::no_backoff, anew::retry_all, anew::unbounded>;
  constexpr int many = 1'000'000;
  int calls = 0;
  char const* lowest = nullptr;
  char const* highest = nullptr;
  EXPECT_TRUE(anew::retry(
      endless{},
      [&] {
        auto const* const at = static_cast<char const*>(__builtin_frame_address(0));
        if (lowest == nullptr || at < lowest) lowest = at;
        if (at > highest) highest = at;
        return ++calls == many;
      },
      no_sleep));
  EXPECT_EQ(calls, many);
  EXPECT_LT(highest - lowest, 16 * 1024);
}

// google-cloud-cpp: the first backoff of each call asked the system for 624 words; a policy was an object of 2,544 bytes.
TEST(PeerDefects, NoCallAsksTheSystemForRandomness) {
  using full = anew::strategy<anew::exponential_backoff<1ms, 1s>, anew::retry_all>;
  static_assert(sizeof(full) == 1 && sizeof(full::token_type) <= 24);
  static_cast<void>(calls_of(full{}));
  auto const asked = anew::detail::entropy_requests().load();
  for (int i = 0; i < 100; ++i) static_cast<void>(calls_of(full{}));
  EXPECT_EQ(anew::detail::entropy_requests().load(), asked);
}

}  // namespace
