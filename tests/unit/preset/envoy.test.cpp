// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/compose/describe.hpp"
#include "anew/preset/envoy.hpp"
#include "anew/testing/scripted_random.hpp"

namespace preset_envoy_test {
namespace {

using namespace std::chrono_literals;
using anew::error_kind;
using anew::failure;
using anew::retry_safety;
using anew::stop_reason;
using anew::testing::highest_word;
using anew::testing::lowest_word;
using anew::testing::middle_word;
using anew::testing::scripted_random;
namespace envoy = anew::envoy;

template <class Strategy>
std::vector<anew::duration> delays(Strategy const& strategy, int retries) {
  std::vector<anew::duration> result;
  auto token = strategy.acquire_initial_token();
  while (retries-- != 0) {
    auto next = strategy.refresh_retry_token(std::move(token), failure{});
    if (!next) break;
    token = *std::move(next);
    result.push_back(token.delay());
  }
  return result;
}

TEST(EnvoyPreset, RetriesOnceWithin25Milliseconds) {
  using fixed = anew::with<envoy::retry_policy, scripted_random>;
  EXPECT_EQ(delays(fixed{scripted_random{highest_word}}, 9), (std::vector<anew::duration>{25ms}));
  EXPECT_EQ(delays(fixed{scripted_random{lowest_word}}, 9), (std::vector<anew::duration>{0ms}));
}

TEST(EnvoyPreset, WindowsDoubleUpToTenTimesTheBase) {
  using fixed = anew::with<envoy::retry_policy, scripted_random, anew::max_attempts<7>>;
  EXPECT_EQ(delays(fixed{scripted_random{highest_word}}, 6),
            (std::vector<anew::duration>{25ms, 50ms, 100ms, 200ms, 250ms, 250ms}));
  EXPECT_EQ(delays(fixed{scripted_random{middle_word}}, 3), (std::vector<anew::duration>{12500us, 25ms, 50ms}));
}

/// So many calls under way, each of which asks for a retry; how many get one.
int retries_of(int calls) {
  envoy::retry_policy const strategy{};
  std::vector<envoy::retry_policy::token_type> under_way;
  for (int i = 0; i != calls; ++i) under_way.push_back(strategy.acquire_initial_token());
  int granted = 0;
  std::vector<envoy::retry_policy::token_type> ended;
  for (auto& token : under_way) {
    auto next = strategy.refresh_retry_token(std::move(token), failure{});
    if (!next) {
      EXPECT_EQ(next.reason(), stop_reason::quota);
      continue;
    }
    ++granted;
    ended.push_back(*std::move(next));
  }
  EXPECT_EQ(strategy.quota().retries(), static_cast<std::uint32_t>(granted));
  ended.clear();
  EXPECT_EQ(strategy.quota().retries(), 0U);
  EXPECT_EQ(strategy.quota().calls(), 0U);
  return granted;
}

TEST(EnvoyPreset, BudgetIsThreeRetriesAtLeast) {
  EXPECT_EQ(retries_of(1), 1);
  EXPECT_EQ(retries_of(3), 3);
  EXPECT_EQ(retries_of(4), 3);
  EXPECT_EQ(retries_of(10), 3);
}

TEST(EnvoyPreset, BudgetIsAFifthOfTheCallsUnderWay) {
  envoy::retry_policy const strategy{};
  std::vector<envoy::retry_policy::token_type> calls;
  for (int i = 0; i != 25; ++i) calls.push_back(strategy.acquire_initial_token());
  EXPECT_EQ(strategy.quota().capacity(), 5U);
  calls.clear();
  EXPECT_EQ(strategy.quota().capacity(), 3U);
}

TEST(EnvoyPreset, GatewayErrors) {
  constexpr envoy::gateway_error classifier{};
  for (int status : {502, 503, 504}) EXPECT_TRUE(classifier.classify(status).is_retry()) << status;
  for (int status : {200, 400, 408, 429, 500, 501, 505}) EXPECT_FALSE(classifier.classify(status).is_retry()) << status;
}

TEST(EnvoyPreset, HintsOfUpToFiveMinutesAreObeyed) {
  envoy::retry_policy const strategy{};
  auto const ask = [&](anew::duration hint) {
    return strategy.refresh_retry_token(strategy.acquire_initial_token(),
                                        failure{error_kind::throttling, retry_safety::yes, hint});
  };
  EXPECT_EQ(ask(251ms)->delay(), 251ms) << "above the cap of the backoff";
  EXPECT_EQ(ask(5min)->delay(), 5min);
  auto const refused = ask(5min + 1ns);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.reason(), stop_reason::hint_too_long);
}

TEST(EnvoyPreset, RateLimitedHintSpreadsUpwards) {
  using limited = anew::with<envoy::retry_policy, envoy::rate_limited_hint, scripted_random>;
  auto const delay = [](anew::duration asked, std::uint64_t word) {
    limited const strategy{scripted_random{lowest_word, word}};
    auto const next = strategy.refresh_retry_token(strategy.acquire_initial_token(),
                                                   failure{error_kind::throttling, retry_safety::yes, asked});
    return next ? std::optional{next->delay()} : std::nullopt;
  };
  EXPECT_EQ(delay(10s, lowest_word), 10s);
  EXPECT_EQ(delay(10s, highest_word), 15s);
  EXPECT_EQ(delay(300s, highest_word), 300s);
  EXPECT_EQ(delay(301s, highest_word), 0s) << "not heeded: the backoff's own delay";
}

TEST(EnvoyPreset, DescribesItself) {
  EXPECT_EQ(anew::describe<envoy::retry_policy>(),
            "exponential(25ms,250ms) full_jitter concurrency_budget(20%,3) any_of(http_status(502,503,504),error_code) "
            "max_attempts(2) server_hint(stop,300s)");
}

}  // namespace
}  // namespace preset_envoy_test
