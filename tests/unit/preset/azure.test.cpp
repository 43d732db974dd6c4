// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/compose/describe.hpp"
#include "anew/preset/azure.hpp"
#include "anew/testing/scripted_random.hpp"

namespace preset_azure_test {
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
using durations = std::vector<anew::duration>;
namespace azure = anew::azure;

template <class Strategy>
durations delays(Strategy const& strategy) {
  durations result;
  auto token = strategy.acquire_initial_token();
  for (;;) {
    auto next = strategy.refresh_retry_token(std::move(token), failure{});
    if (!next) {
      EXPECT_EQ(next.reason(), stop_reason::attempts);
      return result;
    }
    token = *std::move(next);
    result.push_back(token.delay());
  }
}

TEST(AzurePreset, ThreeRetriesOfTheGuidelines) {
  using fixed = anew::with<azure::retry_policy, scripted_random>;
  EXPECT_EQ(delays(fixed{scripted_random{lowest_word}}), (durations{640ms, 1280ms, 2560ms}));
  EXPECT_EQ(delays(fixed{scripted_random{middle_word}}), (durations{840ms, 1680ms, 3360ms}));
  EXPECT_EQ(delays(fixed{scripted_random{highest_word}}), (durations{1040ms, 2080ms, 4160ms}));
}

TEST(AzurePreset, SpreadIsKeptAtTheCap) {
  using fixed = anew::with<azure::retry_policy, scripted_random, anew::max_attempts<10>>;
  EXPECT_EQ(delays(fixed{scripted_random{lowest_word}}).back(), 30s);
  EXPECT_EQ(delays(fixed{scripted_random{highest_word}}).back(), 60s);
}

TEST(AzurePreset, RetryAfterIsALeastWait) {
  azure::retry_policy const strategy{};
  auto const ask = [](auto const& with, anew::duration hint) {
    return with.refresh_retry_token(with.acquire_initial_token(),
                                    failure{error_kind::throttling, retry_safety::yes, hint});
  };
  EXPECT_EQ(ask(strategy, 30s)->delay(), 30s);
  EXPECT_GE(ask(strategy, 1ms)->delay(), 640ms);
  EXPECT_EQ(ask(strategy, 60s)->delay(), 60s);
  auto const too_long = ask(strategy, 61s);
  ASSERT_FALSE(too_long);
  EXPECT_EQ(too_long.reason(), stop_reason::hint_too_long);
  anew::with<azure::retry_policy, anew::server_hint<anew::long_hint::stop, 5min>> const patient{};
  EXPECT_EQ(ask(patient, 5min)->delay(), 5min);
}

TEST(AzurePreset, Statuses) {
  constexpr azure::retry_policy::classifier_type classifier{};
  for (int status : {408, 429, 500, 502, 503, 504}) EXPECT_TRUE(classifier.classify(status).is_retry()) << status;
  for (int status : {400, 401, 403, 404, 409, 412, 501}) EXPECT_FALSE(classifier.classify(status).is_retry()) << status;
}

TEST(AzurePreset, ReadsTheFieldsInTheirOrder) {
  auto const now = std::chrono::system_clock::from_time_t(1'700'000'000);
  std::map<std::string, std::string, std::less<>> fields;
  auto const read = [&] {
    return azure::retry_after(
        [&](std::string_view name) {
          auto const found = fields.find(name);
          return found == fields.end() ? std::nullopt : std::optional<std::string_view>{found->second};
        },
        now);
  };
  EXPECT_EQ(read(), std::nullopt);
  fields["retry-after"] = "7";
  EXPECT_EQ(read(), 7s);
  fields["x-ms-retry-after-ms"] = "1500";
  EXPECT_EQ(read(), 1500ms);
  fields["retry-after-ms"] = "250";
  EXPECT_EQ(read(), 250ms);
  fields["retry-after-ms"] = "soon";
  EXPECT_EQ(read(), 1500ms);
  fields["x-ms-retry-after-ms"] = "-1";
  EXPECT_EQ(read(), 7s);
  fields["retry-after"] = "Tue, 14 Nov 2023 22:14:00 GMT";
  EXPECT_EQ(read(), 40s);
  fields["retry-after"] = "whenever";
  EXPECT_EQ(read(), std::nullopt);
}

TEST(AzurePreset, DescribesItself) {
  EXPECT_EQ(anew::describe<azure::retry_policy>(),
            "exponential(800ms,60s) scaled_jitter(4/5,13/10) unlimited_quota "
            "any_of(http_status(408,429,500,502,503,504),error_code) max_attempts(4) server_hint(stop)");
}

static_assert(sizeof(azure::retry_policy) == 1);

}  // namespace
}  // namespace preset_azure_test
