// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/aws/preset.hpp"
#include "anew/testing/advancing_sleeper.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/recording_sleeper.hpp"
#include "anew/testing/scripted_random.hpp"

#include "driver_support.hpp"

namespace aws_preset_aws_test {
namespace {

using namespace std::chrono_literals;
using anew::aws::error;
using anew::duration;
using anew::stop_reason;
using anew::testing::highest_word;
using anew::testing::manual_clock;
using anew::testing::scripted_random;

/// The answer of a service: success, or an error.
struct answer {
  std::optional<anew::aws::error> failed;
  [[nodiscard]] bool has_value() const { return !failed.has_value(); }
  [[nodiscard]] anew::aws::error const& error() const { return *failed; }
};

}  // namespace
}  // namespace aws_preset_aws_test

/// What a call returns that a limiter refuses; needed where exceptions are switched off.
template <>
struct anew::refused_result<aws_preset_aws_test::answer> {
  static aws_preset_aws_test::answer make(anew::stop_reason /*why*/) { return {anew::aws::error{}}; }
};

namespace aws_preset_aws_test {
namespace {

answer ok() { return {}; }
answer status(int number) { return {error{.status = number}}; }
answer code(std::string text) { return {error{.status = 400, .code = std::move(text)}}; }
answer unreachable(anew::aws::connection_error why) { return {error{.connection = why}}; }

/// Jitter always draws the ceiling.
template <class Preset>
using highest = anew::with<Preset, scripted_random>;
template <class Preset>
highest<Preset> drawing_the_ceiling() {
  return highest<Preset>{scripted_random{highest_word}};
}

struct told {
  std::vector<duration> delays;
  stop_reason reason{};
  std::uint32_t attempts = 0;
};

/// One call that gets these answers, the last one again and again.
template <class Strategy>
told call(Strategy const& strategy, std::vector<answer> const& script) {
  anew::testing::recording_sleeper sleeper;
  std::size_t next = 0;
  auto const outcome =
      anew::retry_outcome(strategy, [&] { return script[next < script.size() ? next++ : script.size() - 1]; }, sleeper);
  return {sleeper.delays, outcome.reason(), outcome.attempts()};
}
using delays = std::vector<duration>;

TEST(AwsStandard, MixedErrorsCountTogether) {
  auto const s = drawing_the_ceiling<anew::aws::standard>();
  auto const t = call(s, {status(500), code("SlowDown"), ok()});
  EXPECT_EQ(t.delays, (delays{50ms, 2s}));
  EXPECT_EQ(t.reason, stop_reason::succeeded);
  EXPECT_EQ(s.quota().balance(), 486U);  // what the last retry paid
}

TEST(AwsStandard, TheQuotaIsReturnedAsPaid) {
  auto const s = drawing_the_ceiling<anew::aws::standard>();
  EXPECT_EQ(call(s, {status(502), status(503), ok()}).delays, (delays{50ms, 100ms}));
  EXPECT_EQ(s.quota().balance(), 486U);
  EXPECT_EQ(call(s, {ok()}).delays, delays{});
  EXPECT_EQ(s.quota().balance(), 487U);
}

TEST(AwsStandard, TheQuotaEndsCalls) {
  auto const s = drawing_the_ceiling<anew::aws::standard>();
  for (int i = 0; i < 17; ++i) call(s, {status(500)});  // 34 retries
  EXPECT_EQ(s.quota().balance(), 24U);
  auto const t = call(s, {status(500)});
  EXPECT_EQ(t.reason, stop_reason::quota);
  EXPECT_EQ(t.delays, delays{50ms});
  EXPECT_EQ(s.quota().balance(), 10U);
  EXPECT_EQ(call(s, {code("SlowDown")}).reason, stop_reason::attempts);
  EXPECT_EQ(s.quota().balance(), 0U);
  auto const first_only = call(s, {code("SlowDown")});
  EXPECT_EQ(first_only.attempts, 1U);
  EXPECT_EQ(first_only.reason, stop_reason::quota);
}

TEST(AwsStandard, TheCarefulOneAsksForIdempotence) {
  using careful = anew::with<anew::aws::standard, anew::aws::careful_classifier>;
  careful const s{};
  using enum anew::aws::connection_error;
  EXPECT_EQ(call(s, {status(500)}).reason, stop_reason::not_idempotent);
  EXPECT_EQ(call(s, {unreachable(broken)}).reason, stop_reason::not_idempotent);
  EXPECT_EQ(call(s, {unreachable(timeout)}).reason, stop_reason::not_idempotent);
  EXPECT_EQ(call(s, {unreachable(not_sent)}).reason, stop_reason::attempts);
  EXPECT_EQ(call(s, {unreachable(connect_timeout)}).reason, stop_reason::attempts);
  EXPECT_EQ(call(s, {code("SlowDown")}).reason, stop_reason::attempts);
  anew::testing::recording_sleeper sleeper;
  auto const declared = anew::retry_outcome(s, anew::idempotent([] { return status(500); }), sleeper);
  EXPECT_EQ(declared.reason(), stop_reason::attempts);
  // The SDKs do not ask, and neither does the preset.
  EXPECT_EQ(call(anew::aws::standard{}, {unreachable(broken)}).reason, stop_reason::attempts);
  EXPECT_EQ(call(anew::aws::standard{}, {unreachable(timeout)}).reason, stop_reason::attempts);
}

TEST(AwsLongPolling, AWaitBeforeTheQuotaEndsACall) {
  auto const s = drawing_the_ceiling<anew::aws::long_polling>();
  for (int i = 0; i < 17; ++i) call(s, {status(500)});
  call(s, {status(500), status(500), ok()});  // refused at 10
  EXPECT_EQ(s.quota().policy().balance(), 10U);
  auto const t = call(s, {status(500)});
  EXPECT_EQ(t.reason, stop_reason::quota);
  EXPECT_EQ(t.attempts, 1U);
  EXPECT_EQ(t.delays, delays{50ms});
  EXPECT_EQ(s.quota().policy().balance(), 10U);
  EXPECT_EQ(call(s, {status(404)}).delays, delays{});
}

TEST(AwsMode, Words) {
  EXPECT_STREQ(to_string(anew::aws::retry_mode::legacy), "legacy");
  EXPECT_STREQ(to_string(anew::aws::retry_mode::standard), "standard");
  EXPECT_STREQ(to_string(anew::aws::retry_mode::adaptive), "adaptive");
  EXPECT_STREQ(to_string(static_cast<anew::aws::retry_mode>(9)), "unknown");
  EXPECT_STREQ(to_string(anew::aws::generation::v2020), "v2020");
  EXPECT_STREQ(to_string(anew::aws::generation::v2026), "v2026");
  EXPECT_STREQ(to_string(static_cast<anew::aws::generation>(9)), "unknown");
}

/// One throttled response at the limiter's start: it lets an attempt through two seconds later.
template <class Preset>
void expect_a_limited_rate(duration first_delay) {
  manual_clock const clock;
  anew::with<Preset, manual_clock, scripted_random> const s{clock, scripted_random{highest_word}};
  anew::testing::advancing_sleeper sleeper{clock};
  auto const began = clock.now();
  int made = 0;
  auto const outcome = anew::retry_outcome(s, [&] { return ++made == 1 ? code("Throttling") : ok(); }, sleeper);
  EXPECT_EQ(outcome.reason(), stop_reason::succeeded);
  EXPECT_EQ(outcome.attempts(), 2U);
  // The retry waits for its backoff, and then for a token of a bucket that fills at half a token a second.
  EXPECT_GT(clock.now() - began, first_delay);
  EXPECT_LE(clock.now() - began, first_delay + 2s);
  auto const before_next = clock.now();
  EXPECT_TRUE(anew::retry_outcome(s, [] { return ok(); }, sleeper).succeeded());
  EXPECT_GT(clock.now() - before_next, 0s);  // first attempts too
}

TEST(AwsAdaptive, IsStandardWithALimiter) {
  using namespace anew::aws;
  static_assert(std::is_same_v<adaptive::backoff_type, standard::backoff_type>);
  static_assert(std::is_same_v<adaptive::quota_type, standard::quota_type>);
  static_assert(adaptive::has_pacer && !standard::has_pacer);
  static_assert(std::is_same_v<adaptive_2020::quota_type, standard_2020::quota_type>);
  static_assert(std::is_same_v<adaptive_2020::backoff_type, standard_2020::backoff_type>);
  static_assert(std::is_same_v<adaptive_2020::classifier_type, classifier_2020> && adaptive_2020::has_pacer);
}

TEST(AwsAdaptive, LimitsTheRateAfterAThrottledResponse) {
  expect_a_limited_rate<anew::aws::adaptive>(1s);
  expect_a_limited_rate<anew::aws::adaptive_2020>(1s);
}

TEST(AwsAdaptive, SendsAtWillUntilThrottled) {
  manual_clock const clock;
  anew::with<anew::aws::adaptive, manual_clock, scripted_random> const s{clock, scripted_random{highest_word}};
  anew::testing::recording_sleeper sleeper;
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(anew::retry_outcome(s, [] { return ok(); }, sleeper).succeeded());
  (void)anew::retry(s, [] { return status(500); }, sleeper);
  EXPECT_EQ(sleeper.delays, (delays{50ms, 100ms}));
}

}  // namespace
}  // namespace aws_preset_aws_test
