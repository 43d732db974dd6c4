// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "anew/compose/describe.hpp"
#include "anew/drive/retry_outcome.hpp"
#include "anew/preset/grpc.hpp"
#include "anew/sharing/shared.hpp"
#include "anew/testing/scripted_random.hpp"

#include "rejection.hpp"

namespace preset_grpc_test {
namespace {

using namespace std::chrono_literals;
using namespace anew::grpc;  // NOLINT(google-build-using-namespace)
using anew::stop_reason;
using anew::testing::scripted_random;
using durations = std::vector<anew::duration>;

/// A result as a stub would return it.
struct reply {
  status_code code = status_code::unavailable;
  pushback asked{};
  [[nodiscard]] bool ok() const noexcept { return code == status_code::ok; }
  [[nodiscard]] status_code error_code() const noexcept { return code; }
  [[nodiscard]] pushback retry_pushback() const noexcept { return asked; }
};

}  // namespace
}  // namespace preset_grpc_test

template <>
struct anew::result_traits<preset_grpc_test::reply> : anew::grpc::status_result {};

namespace preset_grpc_test {
namespace {

struct told {
  durations delays{};
  std::uint32_t attempts = 0;
  stop_reason reason = stop_reason::succeeded;
  std::optional<anew::duration> hint{};
};

template <class Strategy>
told drive(Strategy const& strategy, std::vector<reply> const& replies) {
  told result;
  std::size_t next = 0;
  auto const outcome = anew::retry_outcome(
      strategy, [&] { return replies[next < replies.size() ? next++ : replies.size() - 1]; },
      [&](anew::duration d) { result.delays.push_back(d); });
  result.attempts = outcome.attempts();
  result.reason = outcome.reason();
  result.hint = outcome.last_hint();
  return result;
}

TEST(GrpcPreset, AttemptsAreAtMostFive) {
  EXPECT_EQ(retry_policy<2>{}.max_attempts().value(), 2U);
  EXPECT_EQ(retry_policy<>{}.max_attempts().value(), 4U);
  EXPECT_EQ(retry_policy<5>{}.max_attempts().value(), 5U);
  EXPECT_EQ(retry_policy<6>{}.max_attempts().value(), 5U);
  EXPECT_EQ(retry_policy_2017<100>{}.max_attempts().value(), 5U);
  EXPECT_EQ(make_retry_policy({.max_attempts = 2}).max_attempts().value(), 2U);
  EXPECT_EQ(make_retry_policy({.max_attempts = 5}).max_attempts().value(), 5U);
  EXPECT_EQ(make_retry_policy({.max_attempts = 6}).max_attempts().value(), 5U);
  EXPECT_EQ(make_retry_policy({.max_attempts = 9, .most_attempts = 8}).max_attempts().value(), 8U);
}

TEST(GrpcPreset, OnlyNamedCodesAreRetried) {
  using two = retry_policy<4, 1ms, 1ms, anew::rational{1}, codes(status_code::internal, status_code::aborted)>;
  EXPECT_EQ(drive(two{}, {reply{status_code::internal}}).attempts, 4U);
  EXPECT_EQ(drive(two{}, {reply{status_code::unavailable}}).attempts, 1U);
  EXPECT_EQ(drive(retry_policy<>{}, {reply{}, reply{status_code::ok}}).reason, stop_reason::succeeded);
}

TEST(GrpcPreset, PushbackIsTheDelayExactly) {
  auto const later =
      drive(retry_policy<>{}, {reply{status_code::unavailable, pushback::after(5s)}, reply{status_code::ok}});
  EXPECT_EQ(later.delays, durations{5s});
  auto const sooner =
      drive(retry_policy<>{}, {reply{status_code::unavailable, pushback::after(1ms)}, reply{status_code::ok}});
  EXPECT_EQ(sooner.delays, durations{1ms});
  auto const at_once =
      drive(retry_policy<>{}, {reply{status_code::unavailable, parse_pushback("0")}, reply{status_code::ok}});
  EXPECT_EQ(at_once.delays, durations{0ms});
}

TEST(GrpcPreset, PushbackDoesNotOutliveTheAttempts) {
  auto const result = drive(retry_policy<2>{}, {reply{status_code::unavailable, pushback::after(1ms)}});
  EXPECT_EQ(result.attempts, 2U);
  EXPECT_EQ(result.reason, stop_reason::attempts);
}

TEST(GrpcPreset, PushbackThatForbidsEndsTheCallAndCounts) {
  retry_policy<> const strategy{};
  auto const result = drive(strategy, {reply{status_code::unavailable, parse_pushback("-1")}});
  EXPECT_EQ(result.attempts, 1U);
  EXPECT_EQ(result.reason, stop_reason::not_retryable);
  EXPECT_EQ(strategy.quota().balance(), 9U);
  drive(strategy, {reply{status_code::invalid_argument, parse_pushback("no")}});
  EXPECT_EQ(strategy.quota().balance(), 8U);
  drive(strategy, {reply{status_code::invalid_argument}});
  EXPECT_EQ(strategy.quota().balance(), 8U) << "a malformed request says nothing of the server";
}

TEST(GrpcPreset, ThrottleEndsRetriesAtHalfOfTheTokens) {
  retry_policy<> const strategy{};
  EXPECT_EQ(drive(strategy, {reply{}}).reason, stop_reason::attempts);  // 10 - 4
  EXPECT_EQ(strategy.quota().balance(), 6U);
  auto const throttled = drive(strategy, {reply{}});
  EXPECT_EQ(throttled.attempts, 1U);
  EXPECT_EQ(throttled.reason, stop_reason::quota);
  for (int i = 0; i != 20; ++i) drive(strategy, {reply{status_code::ok}});  // a tenth of a token each
  EXPECT_EQ(strategy.quota().balance(), 7U);
  EXPECT_EQ(drive(strategy, {reply{}}).attempts, 2U);  // 7, 6, and 5 is the threshold
}

TEST(GrpcPreset, RunTimeSettingsMakeTheSameStrategy) {
  retry_policy<> const known{};
  auto const made = make_retry_policy({}, make_throttle({}));
  EXPECT_EQ(describe(made), describe(known));
  EXPECT_EQ(describe(known),
            "headroom(exponential(100ms,1s),1/5) proportional_jitter(1/5) retry_throttle(10,0.1) "
            "grpc_status(UNAVAILABLE) max_attempts(4) pushback_hint(60s)");
  auto const other = make_retry_policy({.max_attempts = 3,
                                        .initial_backoff = 10ms,
                                        .max_backoff = 20ms,
                                        .backoff_multiplier = {3, 2},
                                        .retryable_status_codes = codes(status_code::aborted),
                                        .longest_pushback = 5s});
  EXPECT_EQ(describe(other),
            "headroom(exponential(10ms,20ms,3/2),1/5) proportional_jitter(1/5) unlimited_quota grpc_status(ABORTED) "
            "max_attempts(3) pushback_hint(5s)");
  EXPECT_EQ(make_retry_policy({.initial_backoff = 2s, .max_backoff = 1s}).backoff().delay(1), 1s);
}

TEST(GrpcPreset, MethodsOfAServerShareItsThrottle) {
  anew::shared const throttle{make_throttle({.max_tokens = 4, .token_ratio = anew::rational{500, 1000}})};
  auto const one = make_retry_policy({.initial_backoff = 1ns}, throttle);
  auto const two = make_retry_policy({.initial_backoff = 1ns}, throttle);
  EXPECT_EQ(drive(one, {reply{}}).attempts, 2U);  // 3 permits, 2 does not
  EXPECT_EQ(drive(two, {reply{}}).attempts, 1U);
}

TEST(GrpcPreset, RefusesWhatA6DoesNotPermit) {
  EXPECT_REJECTED(make_retry_policy({.max_attempts = 1}),
                  "anew::grpc::retry_policy: maxAttempts must be at least 2, but is 1");
  EXPECT_REJECTED(make_retry_policy({.most_attempts = 1}),
                  "anew::grpc::retry_policy: the client's maximum must be at least 2, but is 1");
  EXPECT_REJECTED(make_retry_policy({.initial_backoff = 0s}),
                  "anew::grpc::retry_policy: initialBackoff must be above zero, but is 0s");
  EXPECT_REJECTED(make_retry_policy({.max_backoff = 0s}),
                  "anew::grpc::retry_policy: maxBackoff must be above zero, but is 0s");
  EXPECT_REJECTED(make_retry_policy({.backoff_multiplier = {1, 2}}),
                  "anew::exponential_backoff: factor must be at least 1, but is 1/2");
  EXPECT_REJECTED(make_throttle({.max_tokens = 1001}),
                  "anew::retry_throttle: max_tokens must be between 1 and 1000, but is 1001");
}

}  // namespace
}  // namespace preset_grpc_test
