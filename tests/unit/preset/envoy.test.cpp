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
using anew::testing::scripted_random;
namespace envoy = anew::envoy;

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

}  // namespace
}  // namespace preset_envoy_test
