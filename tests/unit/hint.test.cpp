// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/backoff/constant.hpp"
#include "anew/policies/hint/clamped.hpp"
#include "anew/policies/hint/jittered.hpp"
#include "anew/policies/jitter/full.hpp"
#include "anew/run_time/choice.hpp"
#include "anew/strategy/strategy.hpp"
#include "anew/testing/scripted_random.hpp"

#include "names.hpp"

namespace hint_test {
namespace {

using namespace anew;
using anew::testing::middle_word;

// What a strategy waits after failures that ask for these delays, until the first that ends the call.
durations waited(auto const& strategy, durations const& asked, stop_reason ends = stop_reason::succeeded) {
  durations delays;
  auto token = strategy.acquire_initial_token();
  for (auto const hint : asked) {
    auto next = strategy.refresh_retry_token(std::move(token), failure{.hint = hint});
    if (!next) {
      EXPECT_EQ(next.reason(), ends);
      break;
    }
    delays.push_back(next->delay());
    token = *std::move(next);
  }
  return delays;
}

TEST(ClampedHint, IsRelativeToTheDelayAfterJitter) {
  // Drawn to the middle of [0, 8 s]: the window is 4 s to 9 s.
  auto const strategy = compose(constant_backoff<8s>{}, clamped_hint<5s>{}, scripted_random{});
  EXPECT_EQ(waited(strategy, {60s, 60s}), (durations{9s, 9s}));
  EXPECT_EQ(strategy.random_source().calls(), 2U);
}

using resolved = std::optional<std::pair<duration, delay_origin>>;

template <long_hint Then>
using up_to_ten = jittered_hint<rational{1, 2}, server_hint<Then, 10s>>;

/// What is waited when 2 s were computed and the cap is 10 s.
resolved ask(auto const& hint, duration asked, std::uint64_t word) {
  scripted_random const random{word};
  auto const planned = hint.resolve(2s, asked, 10s, random);
  if (!planned) return std::nullopt;
  return std::pair{planned->delay, planned->origin};
}
resolved waits(duration delay, delay_origin origin = delay_origin::hint) { return std::pair{delay, origin}; }

TEST(JitteredHint, ByAnotherFraction) {
  EXPECT_EQ(ask(jittered_hint<rational{1, 4}>{}, 4s, highest_word), waits(5s));
  EXPECT_EQ(ask(jittered_hint<rational{1}>{}, 4s, highest_word), waits(8s));
  EXPECT_EQ(ask(jittered_hint{rational{1, 4}}, 4s, highest_word), waits(5s));
  EXPECT_EQ(ask(jittered_hint<rational{1, 3}>{}, 2s + 1ns, highest_word), waits(2s + 1ns + 666'666'667ns));
  EXPECT_EQ(ask(jittered_hint{rational{1, 3}}, 2s + 1ns, highest_word), waits(2s + 1ns + 666'666'667ns));
}

TEST(JitteredHint, NeverLongerThanIsPermittedAndTheWindowKeepsItsLowerEnd) {
  up_to_ten<long_hint::stop> const hint;
  EXPECT_EQ(ask(hint, 8s, lowest_word), waits(8s));
  EXPECT_EQ(ask(hint, 8s, middle_word), waits(9s));
  EXPECT_EQ(ask(hint, 8s, highest_word), waits(10s));
  EXPECT_EQ(ask(hint, 10s - 1ns, highest_word), waits(10s));
  EXPECT_EQ(ask(hint, 6666666666ns, highest_word), waits(9999999999ns));
  EXPECT_EQ(ask(hint, 6666666667ns, highest_word), waits(10s));
  EXPECT_EQ(ask(hint, 6666666668ns, highest_word), waits(10s));
}

TEST(JitteredHint, TheLimitIsTheInnerPolicys) {
  jittered_hint<rational{1, 2}, server_hint<long_hint::stop, 14s>> const hint;
  EXPECT_EQ(ask(hint, 8s, highest_word), waits(12s));
  EXPECT_EQ(ask(hint, 12s, highest_word), waits(14s));
  EXPECT_EQ(ask(hint, 12s, middle_word), waits(13s));
  EXPECT_EQ(ask(hint, 14s + 1ns, highest_word), std::nullopt);
  jittered_hint const at_run_time{server_hint{long_hint::clamp, 14s}};
  static_assert(std::is_same_v<decltype(at_run_time)::role, roles::hint>);
  EXPECT_EQ(ask(at_run_time, 12s, highest_word), waits(14s));
  EXPECT_EQ(ask(at_run_time, 15s, highest_word), waits(14s, delay_origin::cap));
  jittered_hint const both{rational{1, 12}, server_hint{long_hint::ignore, 14s}};
  EXPECT_EQ(ask(both, 12s, highest_word), waits(13s));
  EXPECT_EQ(ask(both, 13s + 500ms, highest_word), waits(14s));
  EXPECT_EQ(ask(both, 15s, highest_word), waits(2s, delay_origin::backoff));
}

TEST(JitteredHint, WhatIsNotObeyedIsNotJittered) {
  up_to_ten<long_hint::stop> const stops;
  up_to_ten<long_hint::clamp> const clamps;
  up_to_ten<long_hint::ignore> const ignores;
  for (auto const word : {lowest_word, middle_word, highest_word}) {
    EXPECT_EQ(ask(stops, 10s + 1ns, word), std::nullopt);
    EXPECT_EQ(ask(clamps, 10s + 1ns, word), waits(10s, delay_origin::cap));
    EXPECT_EQ(ask(ignores, 10s + 1ns, word), waits(2s, delay_origin::backoff));
    EXPECT_EQ(ask(stops, 1s, word), waits(2s, delay_origin::backoff));
    EXPECT_EQ(ask(stops, 2s, word), waits(2s, delay_origin::backoff));
  }
}

TEST(JitteredHint, DrawsOnceAndOnlyWhereThereIsAWindow) {
  scripted_random const random{middle_word};
  up_to_ten<long_hint::stop> const hint;
  for (auto const asked : {1s, 2s, 10s, 11s}) (void)hint.resolve(2s, asked, 10s, random);
  EXPECT_EQ(random.calls(), 0U);
  (void)hint.resolve(2s, 4s, 10s, random);
  (void)hint.resolve(2s, 9s, 10s, random);
  EXPECT_EQ(random.calls(), 2U);
}

TEST(JitteredHint, SaturatesWhereTheSumWouldOverflow) {
  constexpr auto max = duration::max();
  using unlimited = server_hint<long_hint::stop, max>;
  using by_half = jittered_hint<rational{1, 2}, unlimited>;
  EXPECT_EQ(ask(by_half{}, max, highest_word), waits(max));
  EXPECT_EQ(ask(by_half{}, max - 1s, highest_word), waits(max));
  EXPECT_EQ(ask(by_half{}, max - 1s, lowest_word), waits(max - 1s));
  EXPECT_EQ(ask(jittered_hint<rational{~std::uint32_t{0}}, unlimited>{}, 3s, highest_word), waits(max));
  EXPECT_EQ(ask(jittered_hint{rational{~std::uint32_t{0}, 1}, unlimited{}}, 10000000s, highest_word), waits(max));
}

/// Grants hints up to a second above the computed delay.
struct a_second_more {
  using role = roles::hint;
  static std::optional<planned_delay> resolve(duration computed, duration asked, duration /*cap*/) {
    if (asked <= computed) return planned_delay{computed, delay_origin::backoff};
    if (asked > computed + 1s) return planned_delay{computed + 1s, delay_origin::hint};
    return planned_delay{asked, delay_origin::hint};
  }
};

TEST(JitteredHint, GoesByWhateverTheInnerPolicyGoesBy) {
  jittered_hint<rational{1, 2}, a_second_more> const hint;
  EXPECT_EQ(ask(hint, 2200ms, highest_word), waits(3s));
  EXPECT_EQ(ask(hint, 2200ms, middle_word), waits(2600ms));
  EXPECT_EQ(ask(hint, 5s, highest_word), waits(3s));
  EXPECT_EQ(hint.describe(), "jittered_hint(1/2)");
}

/// Asks for twice what the server asks for.
struct twice {
  using role = roles::hint;
  static std::optional<planned_delay> resolve(duration /*computed*/, duration asked, duration /*cap*/) {
    return planned_delay{2 * asked, delay_origin::hint};
  }
};

TEST(JitteredHint, AsksTheInnerPolicyForWhatAServerMayAsk) {
  EXPECT_EQ(ask(jittered_hint<rational{1, 2}, twice>{}, 60s, 0), waits(120s));
  EXPECT_EQ(ask(jittered_hint<rational{1, 2}, twice>{}, 60s, highest_word), waits(180s));
}

TEST(JitteredHint, OfAChoiceObeysRefusalsAsTheChosenDoes) {
  using either = choice<roles::hint, pushback_hint<>, server_hint<>>;
  EXPECT_TRUE((jittered_hint<rational{1, 2}, either>{either{pushback_hint<>{}}}.obeys_refusals_now()));
  EXPECT_FALSE((jittered_hint<rational{1, 2}, either>{either{server_hint<>{}}}.obeys_refusals_now()));
}

TEST(JitteredHint, IsWhatAStrategyWaits) {
  auto const strategy = compose(no_jitter{}, jittered_hint<>{}, max_attempts<4>{},
                                scripted_random{lowest_word, middle_word, highest_word});
  EXPECT_EQ(waited(strategy, {4s, 4s, 4s}), (durations{4s, 5s, 6s}));
}

TEST(PushbackHint, ReplacesTheComputedDelayAndANegativeOneEndsTheCall) {
  using enum stop_reason;
  auto const strategy = compose(constant_backoff<1s>{}, no_jitter{}, pushback_hint<10s>{});
  EXPECT_EQ(waited(strategy, {7ms, 11s}, hint_too_long), durations{7ms});
  for (duration const asked : {duration{-1ns}, duration{-5s}, duration::min()}) {
    EXPECT_EQ(waited(strategy, {asked}, not_retryable), durations{});
  }
}

static_assert(anew::Hint<jittered_hint<>> && anew::Hint<pushback_hint<>>);

}  // namespace
}  // namespace hint_test
