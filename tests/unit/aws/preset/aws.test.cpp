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
answer hinted(int number, duration after) { return {error{.status = number, .retry_after = after}}; }
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

TEST(AwsStandard, TransientErrors) {
  auto const s = drawing_the_ceiling<anew::aws::standard>();
  auto const t = call(s, {status(500)});
  EXPECT_EQ(t.delays, (delays{50ms, 100ms}));
  EXPECT_EQ(t.reason, stop_reason::attempts);
  EXPECT_EQ(t.attempts, 3U);
  EXPECT_EQ(s.quota().balance(), 472U);
}

TEST(AwsStandard, Throttling) {
  auto const s = drawing_the_ceiling<anew::aws::standard>();
  auto const t = call(s, {code("Throttling")});
  EXPECT_EQ(t.delays, (delays{1s, 2s}));
  EXPECT_EQ(t.reason, stop_reason::attempts);
  EXPECT_EQ(s.quota().balance(), 490U);
}

TEST(AwsStandard, EveryOtherErrorCostsFourteen) {
  auto const s = drawing_the_ceiling<anew::aws::standard>();
  using enum anew::aws::connection_error;
  EXPECT_EQ(call(s, {unreachable(timeout)}).delays, (delays{50ms, 100ms}));
  EXPECT_EQ(s.quota().balance(), 472U);
  EXPECT_EQ(call(s, {unreachable(not_sent)}).delays, (delays{50ms, 100ms}));
  EXPECT_EQ(s.quota().balance(), 444U);
}

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

TEST(AwsStandard, TheCapBoundsBothBases) {
  using patient = anew::with<anew::aws::standard, anew::max_attempts<12>>;
  auto const s = drawing_the_ceiling<patient>();
  EXPECT_EQ(call(s, {status(500)}).delays,
            (delays{50ms, 100ms, 200ms, 400ms, 800ms, 1600ms, 3200ms, 6400ms, 12800ms, 20s, 20s}));
  EXPECT_EQ(call(s, {code("Throttling")}).delays, (delays{1s, 2s, 4s, 8s, 16s, 20s, 20s, 20s, 20s, 20s, 20s}));
}

TEST(AwsStandard, Hints) {
  auto const s = drawing_the_ceiling<anew::aws::standard>();
  EXPECT_EQ(call(s, {hinted(500, 1500ms), ok()}).delays, delays{1500ms});
  EXPECT_EQ(call(s, {hinted(500, 0ms), ok()}).delays, delays{50ms});
  EXPECT_EQ(call(s, {hinted(500, 10s), ok()}).delays, delays{5050ms});
  EXPECT_EQ(call(s, {hinted(500, -100ms), ok()}).delays, delays{50ms});
  EXPECT_EQ(call(s, {hinted(404, 1ms), ok()}).reason, stop_reason::not_retryable);
  using patient = anew::with<anew::aws::standard, anew::max_attempts<11>>;
  EXPECT_EQ(call(drawing_the_ceiling<patient>(), {hinted(500, 30s)}).delays.back(), 25s);
}

TEST(AwsStandard, DrawsFromZeroToTheCeilingOnceForEachRetry) {
  scripted_random const random{anew::testing::lowest_word, anew::testing::middle_word};
  highest<anew::aws::standard> const s{random};
  EXPECT_EQ(call(s, {code("SlowDown")}).delays, (delays{0s, 1s}));
  EXPECT_EQ(random.calls(), 2U);
}

TEST(AwsStandard, IsSmall) {
  static_assert(sizeof(anew::aws::standard) == sizeof(std::uint32_t));
  static_assert(anew::HasQuota<anew::aws::standard>);
  EXPECT_EQ(anew::describe<anew::aws::standard>(),
            "by_kind(throttling=exponential(1s,20s),exponential(50ms,20s)) full_jitter token_bucket(500) "
            "aws_classifier(v2026) max_attempts(3) clamped_hint(5s)");
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

TEST(AwsDynamodb, ABaseOf25MillisecondsAndFourAttempts) {
  auto const s = drawing_the_ceiling<anew::aws::dynamodb>();
  auto const t = call(s, {status(500)});
  EXPECT_EQ(t.delays, (delays{25ms, 50ms, 100ms}));
  EXPECT_EQ(t.attempts, 4U);
  EXPECT_EQ(s.quota().balance(), 458U);
  EXPECT_EQ(call(s, {code("ProvisionedThroughputExceededException"), ok()}).delays, delays{1s});
  EXPECT_EQ(call(s, {hinted(500, 10s), ok()}).delays, delays{5025ms});
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

TEST(AwsStandard2020, OneBaseAndDearTimeouts) {
  auto const s = drawing_the_ceiling<anew::aws::standard_2020>();
  auto const t = call(s, {status(500)});
  EXPECT_EQ(t.delays, (delays{1s, 2s}));
  EXPECT_EQ(t.attempts, 3U);
  EXPECT_EQ(s.quota().balance(), 490U);
  EXPECT_EQ(call(s, {code("Throttling")}).delays, (delays{1s, 2s}));
  EXPECT_EQ(s.quota().balance(), 480U);
  EXPECT_EQ(call(s, {unreachable(anew::aws::connection_error::timeout)}).delays, (delays{1s, 2s}));
  EXPECT_EQ(s.quota().balance(), 460U);
  call(s, {unreachable(anew::aws::connection_error::broken)});
  EXPECT_EQ(s.quota().balance(), 450U);
}

TEST(AwsStandard2020, AHintIsAFloorUpToTheCap) {
  auto const s = drawing_the_ceiling<anew::aws::standard_2020>();
  EXPECT_EQ(call(s, {hinted(503, 500ms), ok()}).delays, delays{1s});
  EXPECT_EQ(call(s, {hinted(503, 7s), ok()}).delays, delays{7s});
  EXPECT_EQ(call(s, {hinted(503, 30s), ok()}).delays, delays{20s});
  using patient = anew::with<anew::aws::standard_2020, anew::max_attempts<7>>;
  EXPECT_EQ(call(drawing_the_ceiling<patient>(), {status(500)}).delays, (delays{1s, 2s, 4s, 8s, 16s, 20s}));
}

TEST(AwsStandard2020, Describes) {
  EXPECT_EQ(anew::describe<anew::aws::standard_2020>(),
            "exponential(1s,20s) full_jitter "
            "token_bucket(500,transient=5,throttling=5,timeout=10,server=5,client=5) aws_classifier(v2020) "
            "max_attempts(3) server_hint(clamp,20s)");
}

TEST(AwsLegacy, TenRetriesThatDouble) {
  anew::aws::legacy const s{};
  auto const t = call(s, {status(500)});
  EXPECT_EQ(t.delays, (delays{0ms, 50ms, 100ms, 200ms, 400ms, 800ms, 1600ms, 3200ms, 6400ms, 12800ms}));
  EXPECT_EQ(t.attempts, 11U);
  EXPECT_EQ(t.reason, stop_reason::attempts);
  EXPECT_EQ(call(s, {status(429), hinted(503, 9s), ok()}).delays, (delays{0ms, 50ms}));
  static_assert(sizeof(anew::aws::legacy) == 1 && !anew::HasQuota<anew::aws::legacy>);
}

TEST(AwsLegacy, OfBotocore) {
  auto const s = drawing_the_ceiling<anew::aws::legacy_botocore>();
  auto const t = call(s, {hinted(500, 60s)});
  EXPECT_EQ(t.delays, (delays{1s, 2s, 4s, 8s}));
  EXPECT_EQ(t.attempts, 5U);
  highest<anew::aws::legacy_botocore> const low{scripted_random{anew::testing::lowest_word}};
  EXPECT_EQ(call(low, {status(509)}).delays, (delays{0s, 0s, 0s, 0s}));
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
