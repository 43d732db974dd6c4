// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/presets/aws.hpp"
#include "anew/presets/aws/error.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/scripted_random.hpp"

#include "driver_support.hpp"
#include "names.hpp"

namespace aws_preset_test {
namespace {

using anew::aws::invocation, anew::aws::sdk_request_value, anew::parse_amz_retry_after;

static_assert(noexcept(parse_amz_retry_after(std::string_view{})));
static_assert(parse_amz_retry_after("1500") == 1500ms);
static_assert(parse_amz_retry_after("+1500") == std::nullopt);

TEST(AmzRetryAfter, IsAWholeNumberOfMilliseconds) {
  using row = std::pair<std::string_view, std::optional<duration>>;
  using namespace std::string_view_literals;
  std::string const zeros = std::string(30, '0') + "7";
  // Implementations disagree on two: whitespace belongs to the field and not to its value; a sign is no digit.
  for (auto const& [text, read] :
       {row{"1500", 1500ms}, row{"0", 0ms}, row{"10000", 10s}, row{" 1500 ", 1500ms}, row{"\t1500\t ", 1500ms},
        row{"1", 1ms}, row{"0012", 12ms}, row{zeros, 7ms}, row{"9876543210", 9876543210ms},
        row{"9223372036854", 9223372036854ms}, row{"9223372036855", duration::max()},
        row{"9223372036854775807", duration::max()}, row{"9223372036854775808", duration::max()},
        row{"1599"sv.substr(0, 2), 15ms}, row{"15\0"sv, std::nullopt}}) {
    EXPECT_EQ(parse_amz_retry_after(text), read) << text;
  }
  for (auto const* text : {"invalid", "-100", "", "1500.5", "1e3", "+1500", " ", "\t \t", "1 5", "15\n", "\r15", "15ms",
                           "x15", "/", ":", "1/", "1:", "--1"}) {
    EXPECT_EQ(parse_amz_retry_after(text), std::nullopt) << text;
  }
  EXPECT_EQ(anew::amz_retry_after_field, "x-amz-retry-after");
}

TEST(AwsInvocation, IsAUuidOfVersionFour) {
  EXPECT_EQ((invocation{scripted_random{0U, 0U}}.id()), "00000000-0000-4000-8000-000000000000");
  EXPECT_EQ((invocation{scripted_random{~0ULL, ~0ULL}}.id()), "ffffffff-ffff-4fff-bfff-ffffffffffff");
  EXPECT_EQ((invocation{scripted_random{0x0123456789abcdefULL, 0xfedcba9876543210ULL}}.id()),
            "01234567-89ab-4def-bedc-ba9876543210");
  invocation const one{scripted_random{0x0123456789abcdefULL, 0x0edcba9876543210ULL}};
  EXPECT_EQ(one.id(), "01234567-89ab-4def-8edc-ba9876543210");
  EXPECT_STREQ(one.c_str(), "01234567-89ab-4def-8edc-ba9876543210");
}

TEST(AwsInvocation, EachHasAnIdOfItsOwn) {
  std::set<std::string> ids;
  for (int i = 0; i < 100; ++i) ids.emplace(invocation{}.id());
  EXPECT_EQ(ids.size(), 100U);
  EXPECT_EQ(invocation{}.id().size(), 36U);
}

TEST(AwsInvocation, IsTheSameForAllAttemptsOfACall) {
  anew::strategy<anew::retry_all, anew::no_backoff, anew::max_attempts<3>> const strategy;
  anew::testing::recording_sleeper sleeper;
  std::vector<std::string> sent;
  invocation const call{scripted_random{7U}};
  (void)anew::retry(
      strategy,
      [&](anew::attempt& attempt) {
        sent.emplace_back(call.sdk_request(attempt, strategy.max_attempts().value()));
        sent.emplace_back(call.sdk_request(attempt));
        return false;
      },
      sleeper);
  EXPECT_EQ(sent, (std::vector<std::string>{"attempt=1; max=3", "attempt=1", "attempt=2; max=3", "attempt=2",
                                            "attempt=3; max=3", "attempt=3"}));
}

TEST(AwsSdkRequest, NumbersOfEverySize) {
  EXPECT_EQ(sdk_request_value(1, 3), "attempt=1; max=3");
  EXPECT_EQ(sdk_request_value(4'294'967'295, 4'294'967'295), "attempt=4294967295; max=4294967295");
  EXPECT_EQ(sdk_request_value(0), "attempt=0");
}

TEST(AwsPreset, Words) {
  EXPECT_EQ(anew::aws::invocation_id_field, "amz-sdk-invocation-id");
  EXPECT_EQ(anew::aws::sdk_request_field, "amz-sdk-request");
  EXPECT_STREQ(to_string(static_cast<anew::aws::retry_mode>(9)), "unknown");
  EXPECT_STREQ(to_string(static_cast<anew::aws::generation>(9)), "unknown");
}

// The rest of what the presets do is rows of the conformance table.
using namespace anew::aws;  // NOLINT(google-build-using-namespace)
static_assert(std::is_same_v<adaptive::backoff_type, standard::backoff_type>);
static_assert(std::is_same_v<adaptive::quota_type, standard::quota_type>);
static_assert(adaptive::has_pacer && !standard::has_pacer && adaptive_2020::has_pacer);
static_assert(std::is_same_v<adaptive_2020::quota_type, standard_2020::quota_type>);
static_assert(std::is_same_v<adaptive_2020::backoff_type, standard_2020::backoff_type>);
static_assert(std::is_same_v<adaptive_2020::classifier_type, classifier_2020>);

}  // namespace
}  // namespace aws_preset_test
