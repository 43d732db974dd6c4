// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/aws.hpp"
#include "anew/bounds.hpp"
#include "anew/policies.hpp"
#include "anew/ports/aws/require_within.hpp"
#include "anew/presets/bounded.hpp"
#include "anew/run_time/choice.hpp"
#include "anew/testing/archetypes.hpp"
#include "anew/text/read_strategy_within.hpp"

#include "names.hpp"

namespace bounds_test {
namespace {

using namespace anew;
using anew::testing::least_gate, anew::testing::least_hint, anew::testing::least_quota;

// Policies of a user, who says nothing, or one fact each.
struct hint_with_a_bound : least_hint {
  static constexpr duration longest_after(duration own) noexcept { return own + 1s; }
};
struct silent_jitter {
  using role = roles::jitter;
  template <RandomSource R>
  static constexpr duration apply(duration ceiling, R& /*random*/) noexcept {
    return ceiling / 2;
  }
};
struct telling_jitter : silent_jitter {
  static constexpr bool draws_between_extremes = true;
  static constexpr bool mean_is_middle = true;
};
struct telling_quota : least_quota {
  static constexpr quota_bounds promises(std::uint64_t /*attempts*/) noexcept {
    quota_bounds q{};
    q.amplification = {1.25, certainty::at_most, "quota"};
    return q;
  }
};
struct backoff_of_a_file {
  using role = roles::backoff;
  duration from_the_file{100ms};
  [[nodiscard]] duration delay(std::uint32_t /*retry*/) const { return from_the_file; }
};
struct lengthening_deadline {  // each wait takes what remains
  using role = roles::deadline;
  static constexpr duration total() noexcept { return 1s; }
  static constexpr std::optional<duration> fit(duration delay, duration remaining) {
    return delay + 50ms < remaining ? std::optional{remaining} : std::nullopt;
  }
};
struct limit_by_a_mixture {  // of kinds, which it does not tell apart by rules
  using role = roles::max_attempts;
  static constexpr bool permits_another(std::uint32_t made) noexcept { return made < 3; }
  static constexpr bool permits_another(call_progress const& progress) noexcept { return progress.attempts < 40; }
};
struct odd_limit {  // a limit that has no value()
  using role = roles::max_attempts;
  static constexpr bool permits_another(std::uint32_t made) noexcept { return made < 6; }
};

using quiet = strategy<constant_backoff<100ms>, no_jitter, server_hint<long_hint::ignore, 0s>, unlimited_quota>;

template <class Policy>
using around = with<quiet, Policy>;

// What the concepts accept.
static_assert(AttemptsAtMost<strategy<>, 3> && !AttemptsAtMost<strategy<>, 2>);
static_assert(!WaitsAtMost<strategy<>, 59s> && WaitsAtMost<strategy<>, 60s>, "the default hint waits as asked");
static_assert(WaitsAtMost<quiet, 100ms> && !WaitsAtMost<quiet, 99ms>);
static_assert(WaitsInAllAtMost<quiet, 200ms> && !WaitsInAllAtMost<quiet, 199ms>);
static_assert(!EndsWithin<with<quiet, deadline<2s>>, 1h>, "a deadline alone interrupts nothing");
static_assert(EndsWithin<with<quiet, deadline<2s>, attempt_timeout<1s>>, 2s>);
static_assert(EndsWithin<with<quiet, deadline<2s, at_deadline::last_try>, attempt_timeout<1s>>, 3s>);
static_assert(!EndsWithin<with<quiet, deadline<2s, at_deadline::last_try>, attempt_timeout<1s>>, 2999ms>);
static_assert(AmplifiesAtMost<aws::standard, rational{2}> && !AmplifiesAtMost<aws::standard, rational{19, 10}>);
static_assert(
    Within<bounded<250ms>, limits{.attempts = 3, .wait = 63ms, .call = 250ms, .amplification = rational{6, 5}}>);
static_assert(WaitsInAllAtMost<around<adaptive_concurrency<9, 1s>>, 200ms>);
static_assert(demand<quiet, limits{.attempts = 3}>());
static_assert(!AttemptsAtMost<int, 1000>, "what is no strategy promises nothing");

TEST(Bounds, SayWhichDemandFallsShortAndWhoDecides) {
  auto const say = [](strategy_bounds const& promised, limits const& demanded, std::string_view says) {
    EXPECT_EQ(shortfall(promised, demanded), says) << "demanded: " << says;
  };
  say(bounds_of<strategy<>>(), {.attempts = 3}, "");
  say(bounds_of<strategy<>>(), {.attempts = 2}, "attempts 3 > 2 by max_attempts");
  say(bounds_of<strategy<>>(), {.wait = 250ms}, "wait 60s > 250ms by hint");
  say(bounds_of<strategy<>>(), {.waiting = 2min}, "");
  say(bounds_of<strategy<>>(), {.waiting = 1min}, "waiting 120s > 60s by hint");
  say(bounds_of<strategy<>>(), {.call = 2s}, "call unbounded, see attempt_timeout; demanded 2s");
  say(bounds_of<quiet>(), {.wait = 99ms}, "wait 100ms > 99ms by backoff");
  say(bounds_of<around<unbounded>>(), {.attempts = 9}, "attempts unbounded, see max_attempts; demanded 9");
  say(bounds_of<around<odd_limit>>(), {.attempts = 5}, "attempts 6 > 5 by max_attempts");
  say(bounds_of<aws::standard>(), {.amplification = rational{7, 5}}, "attempts per call 2.00 > 1.40 by quota");
  say(bounds_of<around<least_hint>>(), {.wait = 1s}, "wait unknown, hint needs longest(); demanded 1s");
  say(bounds_of<around<hint_with_a_bound>>(), {.wait = 1s}, "wait 1100ms > 1s by hint");
  using reserving = refilling_bucket<10, 100ms, when_empty::reserve, 1s>;
  say(bounds_of<with<quiet, exponential_backoff<100ms, 10s>, reserving>>(), {.wait = 500ms},
      "wait 1s > 500ms by quota");
  say(bounds_of<around<cool_down<>>>(), {.wait = 1s}, "wait unbounded, see gate; demanded 1s");
  say(bounds_of<around<client_rate_limiter<>>>(), {.wait = 1s}, "wait unbounded, see pacer; demanded 1s");
  say(bounds_of<around<least_gate>>(), {.wait = 1s}, "wait unknown, gate needs longest_wait(); demanded 1s");
  say(bounds_of<around<least_gate>>(), {.waiting = 1s}, "waiting unknown, gate needs longest_wait(); demanded 1s");
  say(bounds_of<around<circuit_breaker<>>>(), {.waiting = 200ms}, "");
  say(bounds_of<around<least_quota>>(), {.amplification = rational{2}},
      "attempts per call unknown, quota needs promises(); demanded 2.00");
  say(bounds_of<around<telling_quota>>(), {.amplification = rational{5, 4}}, "");
  say(bounds_of<around<backoff_of_a_file>>(), {.wait = 1s},
      "wait unknown, backoff needs a constexpr delay(); demanded 1s");
  say(bounds(around<backoff_of_a_file>{}), {.wait = 1s}, "");
  say(bounds_of<with<quiet, deadline<2s>, unbounded>>(), {.attempts = 21}, "");
  say(bounds_of<with<quiet, deadline<2s>, unbounded>>(), {.attempts = 20}, "attempts 21 > 20 by deadline");
  say(bounds_of<with<quiet, lengthening_deadline>>(), {.wait = 500ms}, "wait 1s > 500ms by deadline");
  say(bounds_of<around<limit_by_a_mixture>>(), {.attempts = 9},
      "attempts unknown, max_attempts needs value(); demanded 9");
  say(bounds_of<with<quiet, attempt_timeout<100ms>, server_hint<>>>(), {.call = 2s}, "call 120300ms > 2s by hint");
  say(bounds_of<around<reset_after<5s>>>(), {.attempts = 9}, "attempts unbounded, see reset; demanded 9");
  using by_kind = max_attempts_by_kind<for_kind<error_kind::throttling, max_attempts<5>>, max_attempts<2>>;
  say(bounds_of<around<by_kind>>(), {.waiting = 300ms}, "waiting 500ms > 300ms by backoff");
  say(bounds(around<max_attempts<run_time_count>>{max_attempts{7}}), {.attempts = 5}, "attempts 7 > 5 by max_attempts");
  say(bounds_of<around<token_bucket<500, retry_costs{0, 0, 0, 5, 5}>>>(), {.amplification = rational{2}},
      "attempts per call 3.00 > 2.00 by max_attempts");
}

TEST(Bounds, OfAJitterThatSaysNothingAreItsCap) {
  auto const unsaid = bounds_of<around<silent_jitter>>();
  EXPECT_EQ(unsaid.own_wait.value, 100ms);
  EXPECT_EQ(unsaid.own_wait.how, certainty::at_most);
  EXPECT_EQ(unsaid.expected_waiting.how, certainty::unknown);
  auto const said = bounds_of<around<telling_jitter>>();
  EXPECT_EQ(said.own_wait.value, 50ms);
  EXPECT_EQ(said.own_wait.how, certainty::exact);
  EXPECT_EQ(said.expected_waiting.value, 100ms);
}

TEST(Bounds, OfABucketThatNeverPaysForAllRetriesAreNotReached) {
  EXPECT_EQ((bounds_of<with<quiet, token_bucket<28>>>().attempts.how), certainty::exact);
  EXPECT_EQ((bounds_of<with<quiet, token_bucket<14>, max_attempts<9>>>().attempts.how), certainty::at_most);
  EXPECT_EQ((bounds_of<with<quiet, token_bucket<0>>>().waiting.how), certainty::at_most);
}

TEST(Bounds, OfAHandleAreThoseOfThePolicyInside) {
  auto const plain = bounds_of<with<quiet, token_bucket<100>>>().quota;
  EXPECT_EQ(plain.burst, 20U);
  EXPECT_EQ(plain.transient_burst, 7U);
  EXPECT_EQ((bounds_of<with<quiet, token_bucket<100, retry_costs{14, 5, 5, 5, 5}>>>().quota.transient_burst), 7U);
  auto const check = [&plain](char const* name, strategy_bounds const& promised) {
    EXPECT_EQ(promised.quota.burst, plain.burst) << name;
    EXPECT_EQ(promised.quota.amplification.value, plain.amplification.value) << name;
  };
  token_bucket<100> const kept;
  using either = choice<roles::quota, unlimited_quota, token_bucket<100>>;
  check("shared", bounds_of<with<quiet, shared<token_bucket<100>>>>());
  check("striped", bounds_of<with<quiet, striped<token_bucket<100>>>>());
  check("long_poll", bounds_of<with<quiet, long_poll<token_bucket<100>>>>());
  check("borrowed", bounds(with<quiet, borrowed<token_bucket<100>>>{borrowed{kept}}));
  check("chosen", bounds(with<quiet, either>{either{std::in_place_type<token_bucket<100>>}}));
}

TEST(Bounds, OfOtherQuotasAreThoseOfTheirFormulas) {
  auto const budget = bounds_of<around<retry_budget<20, 0>>>().quota;
  EXPECT_DOUBLE_EQ(budget.amplification.value, 1.2);
  EXPECT_DOUBLE_EQ(bounds_of<around<retry_budget<>>>().quota.per_second, 10);
  EXPECT_DOUBLE_EQ(bounds_of<around<retry_budget<>>>().quota.amplification.value, 3) << "the floor is absolute";
  EXPECT_DOUBLE_EQ(bounds_of<around<concurrency_budget<>>>().quota.for_each_call, 0.2);
  using refilling = refilling_bucket<10, 100ms>;
  EXPECT_EQ(bounds_of<around<refilling>>().quota.burst, 10U);
  using throttled = with<quiet, retry_throttle<>, max_attempts<4>>;
  EXPECT_EQ(bounds_of<throttled>().quota.burst, 37U);
  auto const unlimited = bounds_of<around<unbounded>>().quota;
  EXPECT_EQ(unlimited.amplification.how, certainty::unbounded);
}

TEST(Bounds, OfAPacerAndAGateCountForEachAttempt) {
  constexpr rate_limiter_constants two_seconds{.longest_wait = 2};
  auto const paced = bounds_of<around<client_rate_limiter<when_limited::wait, two_seconds>>>();
  EXPECT_EQ(paced.admission.value, 2s);
  EXPECT_EQ(paced.waiting.value, 200ms + 3 * 2s);
  EXPECT_EQ(paced.waiting.how, certainty::at_most);
  EXPECT_EQ(bounds_of<around<client_rate_limiter<>>>().waiting.how, certainty::unbounded);
  EXPECT_EQ(bounds_of<around<client_rate_limiter<when_limited::fail_fast>>>().waiting.value, 200ms);
}

TEST(Bounds, OfLayersMultiplyUnlessBothAreGuarded) {
  auto const both = layered(bounds_of<quiet>(), bounds_of<quiet>());
  EXPECT_EQ(both.attempts.value, 9U);
  EXPECT_EQ(both.waiting.value, 200ms + 3 * 200ms);
  EXPECT_DOUBLE_EQ(both.quota.amplification.value, 9);
  auto const guarded = layered(bounds_of<around<nesting_guard<>>>(), bounds_of<around<nesting_guard<>>>());
  EXPECT_EQ(guarded.attempts.value, 3U);
  EXPECT_EQ(guarded.waiting.value, 200ms);
  using sharing = with<quiet, token_bucket<500>, nesting_guard<when_nested::share_quota>>;
  auto const collapsing = bounds_of<around<nesting_guard<>>>();
  EXPECT_EQ(layered(collapsing, bounds_of<sharing>()).attempts.value, 9U) << "it retries, and the outer quota pays";
  EXPECT_EQ(layered(collapsing, layered(collapsing, bounds_of<quiet>())).attempts.value, 27U) << "at most";
  EXPECT_EQ(layered(bounds_of<quiet>(), bounds_of<around<unbounded>>()).attempts.how, certainty::unbounded);
  EXPECT_EQ(layered(bounds_of<around<unbounded>>(), bounds_of<quiet>()).attempts.how, certainty::unbounded);
}

TEST(Bounds, OfAJitteredHintAreThoseOfItsInnerPolicy) {
  using shortening = strategy<exponential_backoff<1s, 3s>, no_jitter, deadline<10s>, max_attempts<50>,
                              jittered_hint<rational{1, 2}, pushback_hint<>>>;
  EXPECT_EQ(bounds_of<shortening>().attempts.value, 50U) << "a server may ask for less than the backoff";
  EXPECT_EQ(bounds_of<shortening>().least_waiting, 0s);
  using clamped = strategy<constant_backoff<20ms>, no_jitter, jittered_hint<rational{1, 4}, clamped_hint<5s>>>;
  EXPECT_EQ(bounds_of<clamped>().wait.value, 5020ms);
}

TEST(Bounds, RefuseATextAtTheWordToBlame) {
  // The part of the text that is refused; empty where it is accepted.
  auto const check = [](std::string_view text, limits const& demanded, std::string_view refused,
                        std::string_view says) {
    SCOPED_TRACE(text);
    auto const read = read_strategy_within(text, demanded);
    ASSERT_EQ(read.has_value(), refused.empty()) << in_lines(read ? text_fault{} : read.error(), text);
    if (read) return;
    EXPECT_EQ(text.substr(read.error().at, read.error().length), refused);
    EXPECT_EQ(read.error().what, says);
  };
  check("max_attempts(3) constant(1s)", {.attempts = 3, .wait = 1min}, "", "");
  check("constant(1s) max_attempts(7)", {.attempts = 5}, "max_attempts(7)", "attempts 7 > 5 by max_attempts");
  check("constant(1s) unbounded", {.attempts = 5}, "unbounded", "attempts unbounded, see max_attempts; demanded 5");
  check("server_hint(ignore,0s) no_jitter constant(30s)", {.wait = 10s}, "constant(30s)", "wait 30s > 10s by backoff");
  check("pushback_hint(120s)", {.wait = 10s}, "pushback_hint(120s)", "wait 120s > 10s by hint");
  check("max_attempts(2)", {.wait = 10s}, "max_attempts(2)", "wait 60s > 10s by hint");  // a default: the whole text
  check("max_attempts(9) counted_by_kind(throttling=constant(1h),constant(1s))", {.waiting = 1h},
        "counted_by_kind(throttling=constant(1h),constant(1s))", "waiting 28800s > 3600s by backoff");
  check("token_bucket(500,transient=1,throttling=1) max_attempts(9)", {.amplification = rational{3, 2}},
        "token_bucket(500,transient=1,throttling=1)", "attempts per call 2.00 > 1.50 by quota");
  check("unlimited_quota max_attempts(2)", {.amplification = rational{3, 2}}, "max_attempts(2)",
        "attempts per call 2.00 > 1.50 by max_attempts");
  check("server_hint(ignore,0s) cool_down(constant(1s),longest_wait=60s)", {.waiting = 2min},
        "cool_down(constant(1s),longest_wait=60s)", "waiting 180150ms > 120s by gate");
  check("deadline(5s) max_attempts(3)", {.call = 5s}, "deadline(5s) max_attempts(3)",
        "call unbounded, see attempt_timeout; demanded 5s");
}

TEST(Bounds, RefuseSettingsOfAwsAtTheLineToBlame) {
  aws_settings::settings s;
  s.max_attempts = {7, aws_settings::origin::file("/home/me/.aws/config", 3)};
  EXPECT_NO_THROW(aws_settings::require_within(s, {.attempts = 7}));
  auto const refused = [&s](limits const& demanded) -> std::string {
    try {
      aws_settings::require_within(s, demanded);
    } catch (aws_settings::config_error const& error) {
      EXPECT_EQ(error.kind(), aws_settings::config_error_kind::falls_short);
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(refused({.attempts = 5}), "/home/me/.aws/config:3: max_attempts = 7: attempts 7 > 5 by max_attempts");
  EXPECT_EQ(refused({.wait = 10s}), "default: retry_mode = standard: wait 25s > 10s by hint");
}

}  // namespace
}  // namespace bounds_test
