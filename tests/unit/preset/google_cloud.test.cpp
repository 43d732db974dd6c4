// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/compose/describe.hpp"
#include "anew/preset/google_cloud.hpp"
#include "anew/testing/scripted_random.hpp"

namespace preset_google_cloud_test {
namespace {

using namespace std::chrono_literals;
using anew::failure;
using anew::grpc::status_code;
using anew::stop_reason;
using anew::testing::highest_word;
using anew::testing::lowest_word;
using anew::testing::scripted_random;
using durations = std::vector<anew::duration>;
namespace google_cloud = anew::google_cloud;

struct call {
  durations delays{};
  anew::duration lasted{};
  stop_reason reason = stop_reason::succeeded;
};

/// A call that fails throughout at once, under a clock that its sleeps advance.
template <class Preset>
call run(std::uint64_t word) {
  anew::with<Preset, scripted_random> const strategy{scripted_random{word}};
  call result;
  anew::time_point now{};
  auto token = strategy.acquire_initial_token(now);
  for (;;) {
    auto next = strategy.refresh_retry_token(std::move(token), failure{}, now);
    if (!next) {
      result.reason = next.reason();
      result.lasted = now.time_since_epoch();
      return result;
    }
    token = *std::move(next);
    result.delays.push_back(token.delay());
    now += token.delay();
  }
}

durations first(durations const& all, std::ptrdiff_t count) { return {all.begin(), all.begin() + count}; }

TEST(GoogleCloudPreset, GeneratedClientsDrawFromZero) {
  auto const longest = run<google_cloud::retry_policy>(highest_word);
  EXPECT_EQ(first(longest.delays, 10), (durations{1s, 2s, 4s, 8s, 16s, 32s, 64s, 128s, 256s, 300s}));
  EXPECT_EQ(longest.reason, stop_reason::deadline);
  EXPECT_EQ(longest.lasted, 1711s);  // 511 s for nine retries, then four times five minutes
  anew::with<google_cloud::retry_policy, scripted_random> const strategy{scripted_random{lowest_word}};
  EXPECT_EQ(strategy.refresh_retry_token(strategy.acquire_initial_token(), failure{})->delay(), 0s);
}

TEST(GoogleCloudPreset, StorageDrawsBetweenTheDelayBeforeAndThisOne) {
  auto const longest = run<google_cloud::storage>(highest_word);
  EXPECT_EQ(first(longest.delays, 9), (durations{2s, 4s, 8s, 16s, 32s, 64s, 128s, 256s, 300s}));
  auto const shortest = run<google_cloud::storage>(lowest_word);
  EXPECT_EQ(first(shortest.delays, 9), (durations{1s, 2s, 4s, 8s, 16s, 32s, 64s, 128s, 150s}));
  EXPECT_EQ(shortest.reason, stop_reason::deadline);
  EXPECT_LT(shortest.lasted, 15min);
  EXPECT_GE(shortest.lasted + 150s, 15min);
}

TEST(GoogleCloudPreset, GaxGrowsByThreeTenths) {
  auto const longest = run<google_cloud::gax>(highest_word);
  EXPECT_EQ(first(longest.delays, 4), (durations{100ms, 130ms, 169ms, 219700us}));
  EXPECT_EQ(longest.delays.back(), 60s);
  EXPECT_EQ(longest.reason, stop_reason::deadline);
  EXPECT_LT(longest.lasted, 10min);
  EXPECT_GE(longest.lasted + 60s, 10min);
}

TEST(GoogleCloudPreset, CodesAndStatuses) {
  constexpr google_cloud::retry_policy::classifier_type generated{};
  EXPECT_TRUE(generated.classify(status_code::unavailable).is_retry());
  EXPECT_FALSE(generated.classify(status_code::deadline_exceeded).is_retry());
  constexpr google_cloud::gax::classifier_type gax{};
  EXPECT_TRUE(gax.classify(status_code::unavailable).is_retry());
  EXPECT_TRUE(gax.classify(status_code::deadline_exceeded).is_retry());
  EXPECT_FALSE(gax.classify(status_code::internal).is_retry());
  constexpr google_cloud::storage::classifier_type storage{};
  for (int status : {408, 429, 500, 502, 503, 504}) EXPECT_TRUE(storage.classify(status).is_retry()) << status;
  for (int status : {400, 401, 404, 412, 501}) EXPECT_FALSE(storage.classify(status).is_retry()) << status;
}

TEST(GoogleCloudPreset, Describe) {
  EXPECT_EQ(anew::describe<google_cloud::retry_policy>(),
            "exponential(1s,300s) full_jitter unlimited_quota idempotent_only(grpc_status(UNAVAILABLE)) unbounded "
            "server_hint(stop,300s) "
            "deadline(1800s)");
  EXPECT_EQ(anew::describe<google_cloud::storage>(),
            "exponential(2s,300s) equal_jitter unlimited_quota "
            "any_of(http_status(408,429,500,502,503,504),error_code) unbounded server_hint(stop,300s) deadline(900s)");
  EXPECT_EQ(anew::describe<google_cloud::gax>(),
            "exponential(100ms,60s,13/10) full_jitter unlimited_quota "
            "idempotent_only(grpc_status(DEADLINE_EXCEEDED,UNAVAILABLE)) unbounded server_hint(stop) deadline(600s)");
}

}  // namespace
}  // namespace preset_google_cloud_test
