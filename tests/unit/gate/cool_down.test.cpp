// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/gate/cool_down.hpp"

#include "rejection.hpp"

namespace {

using namespace std::chrono_literals;
using anew::cool_down;
using anew::duration;
using anew::error_kind;
using anew::exponential_backoff;
using anew::failure;
using anew::time_point;
using anew::when_cooling;

constexpr time_point start{1'000s};
constexpr failure broke{.kind = error_kind::transient};

using seconds_up_to_a_minute = exponential_backoff<1s, 60s>;

template <class Gate>
auto enter(Gate const& gate, time_point now) {
  auto const answer = gate.try_enter(now);
  EXPECT_TRUE(answer.pass.has_value());
  return answer.pass.value_or(typename Gate::pass_type{});
}
/// Fails as soon as it may, and returns when the next may begin.
template <class Gate>
time_point fail(Gate const& gate, time_point now, failure const& what = broke) {
  gate.on_failure(enter(gate, now), what, now);
  return now + gate.try_enter(now).wait;
}

TEST(CoolDown, GrowsWithTheFailuresInARow) {
  cool_down<seconds_up_to_a_minute> const gate;
  auto now = start;
  for (auto const expected : {1s, 2s, 4s, 8s, 16s, 32s, 60s, 60s}) {
    auto const next = fail(gate, now);
    EXPECT_EQ(next - now, expected);
    EXPECT_EQ(gate.cooling_until(), next);
    now = next;
  }
  EXPECT_EQ(gate.failures(), 8U);
}

TEST(CoolDown, AttemptsWaitUntilItIsOver) {
  cool_down<seconds_up_to_a_minute> const gate;
  EXPECT_EQ(gate.cooling_until(), time_point::min());
  fail(gate, start);
  auto const early = gate.try_enter(start + 400ms);
  EXPECT_FALSE(early.pass.has_value());
  EXPECT_EQ(early.wait, 600ms);
  EXPECT_EQ(gate.try_enter(start + 1s - 1ns).wait, 1ns);
  EXPECT_TRUE(gate.try_enter(start + 1s).pass.has_value());
}

TEST(CoolDown, OrAreRefused) {
  cool_down<seconds_up_to_a_minute, when_cooling::refuse> const gate;
  EXPECT_FALSE(gate.would_refuse(start));
  gate.on_failure(enter(gate, start), broke, start);
  auto const early = gate.try_enter(start + 1s - 1ns);
  EXPECT_FALSE(early.pass.has_value());
  EXPECT_EQ(early.wait, 0s);
  EXPECT_TRUE(gate.would_refuse(start + 1s - 1ns));
  EXPECT_FALSE(gate.would_refuse(start + 1s));
  EXPECT_TRUE(gate.try_enter(start + 1s).pass.has_value());
}

template <class G>
concept ForeseesRefusals = requires(G const& g) { g.would_refuse(start); };

// A retry that would wait for the gate is no reason to end the call.
TEST(CoolDown, OneThatWaitsForeseesNoRefusal) {
  static_assert(!ForeseesRefusals<cool_down<>>);
  static_assert(ForeseesRefusals<cool_down<seconds_up_to_a_minute, when_cooling::refuse>>);
}

TEST(CoolDown, ASuccessEndsTheRow) {
  cool_down<seconds_up_to_a_minute> const gate;
  auto now = fail(gate, start);
  now = fail(gate, now);
  now = fail(gate, now);
  EXPECT_EQ(gate.failures(), 3U);
  gate.on_success(enter(gate, now), now);
  EXPECT_EQ(gate.failures(), 0U);
  EXPECT_TRUE(gate.try_enter(now).pass.has_value());
  EXPECT_EQ(fail(gate, now) - now, 1s);
}

TEST(CoolDown, TheFirstFailuresMayCostNothing) {
  cool_down<seconds_up_to_a_minute, when_cooling::wait, 2> const gate;
  EXPECT_EQ(fail(gate, start), start);
  EXPECT_EQ(fail(gate, start), start);
  EXPECT_EQ(gate.failures(), 2U);
  EXPECT_EQ(gate.cooling_until(), time_point::min());
  auto const next = fail(gate, start);
  EXPECT_EQ(next, start + 1s);
  EXPECT_EQ(fail(gate, next), next + 2s);
}

TEST(CoolDown, AHintCountsFromTheFirstFailureOn) {
  cool_down<seconds_up_to_a_minute, when_cooling::wait, 2> const gate;
  EXPECT_EQ(fail(gate, start, failure{.hint = 5s}), start + 5s);
}

TEST(CoolDown, TheLongerOfHintAndBackoffCounts) {
  cool_down<seconds_up_to_a_minute> const gate;
  EXPECT_EQ(fail(gate, start, failure{.hint = 5s}), start + 5s);
  auto const now = start + 5s;
  EXPECT_EQ(fail(gate, now, failure{.hint = 1s}), now + 2s);
}

TEST(CoolDown, AHintIsBoundedByTheCap) {
  cool_down<seconds_up_to_a_minute> const gate;
  EXPECT_EQ(fail(gate, start, failure{.hint = 100h}), start + 60s);
  cool_down<anew::no_backoff> const none;
  EXPECT_EQ(fail(none, start, failure{.hint = 100h}), start);
}

TEST(CoolDown, TheCallersFaultChangesNothing) {
  cool_down<seconds_up_to_a_minute> const gate;
  EXPECT_EQ(fail(gate, start, failure{.kind = error_kind::client, .hint = 5s}), start);
  EXPECT_EQ(gate.failures(), 0U);
  auto const now = fail(gate, start);
  fail(gate, now, failure{.kind = error_kind::client});
  EXPECT_EQ(gate.failures(), 1U);  // neither one more nor the end of the row
}

// Ten attempts that were under way when the destination went down tell of one failure, not of ten.
TEST(CoolDown, WhatFailsSideBySideIsOneFailure) {
  cool_down<seconds_up_to_a_minute> const gate;
  cool_down<>::pass_type passes[10];
  for (auto& pass : passes) pass = enter(gate, start);
  for (auto const pass : passes) gate.on_failure(pass, broke, start + 100ms);
  EXPECT_EQ(gate.failures(), 1U);
  EXPECT_EQ(gate.cooling_until(), start + 1100ms);
}

TEST(CoolDown, ALateFailureStillBringsItsHint) {
  cool_down<seconds_up_to_a_minute> const gate;
  auto const one = enter(gate, start);
  auto const two = enter(gate, start);
  gate.on_failure(one, broke, start);
  gate.on_failure(two, failure{.hint = 7s}, start + 1s);
  EXPECT_EQ(gate.failures(), 1U);
  EXPECT_EQ(gate.cooling_until(), start + 8s);
}

TEST(CoolDown, ATimeIsNeverTakenBack) {
  cool_down<seconds_up_to_a_minute> const gate;
  auto const one = enter(gate, start);
  auto const two = enter(gate, start);
  gate.on_failure(one, failure{.hint = 30s}, start);
  gate.on_failure(two, failure{.hint = 1s}, start);
  EXPECT_EQ(gate.cooling_until(), start + 30s);
}

TEST(CoolDown, ASuccessThatBeganBeforeTheFailureDoesNotEndTheRow) {
  cool_down<seconds_up_to_a_minute> const gate;
  auto const slow = enter(gate, start);
  fail(gate, start);
  gate.on_success(slow, start + 100ms);
  EXPECT_EQ(gate.failures(), 1U);
  EXPECT_EQ(gate.cooling_until(), start + 1s);
}

// What began before the success knows nothing of what came after it.
TEST(CoolDown, AFailureThatBeganBeforeTheSuccessDoesNotBeginARow) {
  cool_down<seconds_up_to_a_minute> const gate;
  auto const now = fail(gate, start);
  auto const slow = enter(gate, now);
  gate.on_success(enter(gate, now), now);
  gate.on_failure(slow, broke, now + 10s);
  EXPECT_EQ(gate.failures(), 0U);
}

TEST(CoolDown, AReleasedPassAndNoPassChangeNothing) {
  cool_down<seconds_up_to_a_minute> const gate;
  auto const pass = enter(gate, start);
  EXPECT_NE(pass, cool_down<>::pass_type{});
  gate.release(pass);
  gate.on_failure({}, broke, start);
  gate.on_success({}, start);
  EXPECT_EQ(gate.failures(), 0U);
  auto const now = fail(gate, start);
  gate.on_failure({}, failure{.hint = 30s}, now);
  gate.on_success({}, now);
  EXPECT_EQ(gate.failures(), 1U);
  EXPECT_EQ(gate.cooling_until(), now);
}

TEST(CoolDown, CountsUpToItsMost) {
  cool_down<anew::constant_backoff<1ms>> const gate;
  auto now = start;
  for (int i = 0; i < 3'000; ++i) now = fail(gate, now);
  EXPECT_EQ(gate.failures(), 1'023U);
  EXPECT_EQ(now, start + 3s);
  gate.on_success(enter(gate, now), now);
  EXPECT_EQ(gate.failures(), 0U);
}

TEST(CoolDown, IsNeverOverTooEarly) {
  cool_down<anew::constant_backoff<1500us>> const gate;
  auto const next = fail(gate, start + 1ns);
  EXPECT_EQ(next, start + 2ms);  // to the millisecond
}

TEST(CoolDown, EveryTimeHasRoom) {
  for (auto const at : {time_point{-1'000'000s}, time_point{-1s}, time_point{0s}, time_point{7'000'000'000s}}) {
    cool_down<seconds_up_to_a_minute> const gate;
    EXPECT_EQ(fail(gate, at), at + 1s);
  }
}

TEST(CoolDown, MovesAsItStands) {
  cool_down<seconds_up_to_a_minute> gate;
  fail(gate, start);
  cool_down<seconds_up_to_a_minute> const moved{std::move(gate)};
  EXPECT_EQ(moved.failures(), 1U);
  EXPECT_EQ(moved.cooling_until(), start + 1s);
  static_assert(!std::is_copy_constructible_v<cool_down<>> && sizeof(cool_down<>) == 8);
}

struct my_backoff {
  using role = anew::roles::backoff;
  [[nodiscard]] duration delay(std::uint32_t n) const { return 1s * n; }
};

TEST(CoolDown, ValuesOfTheTypeAndOfTheObjectAgree) {
  EXPECT_EQ(cool_down<>{}.describe(), "cool_down(exponential(1s,60s))");
  EXPECT_EQ((cool_down<anew::constant_backoff<5s>, when_cooling::refuse, 3>{}.describe()),
            "cool_down(constant(5s),refuse,ignored=3)");
  cool_down const chosen{exponential_backoff{2s, 9s}, 1};
  EXPECT_EQ(chosen.describe(), "cool_down(exponential(2s,9s),ignored=1)");
  EXPECT_EQ(fail(chosen, start), start);
  EXPECT_EQ(fail(chosen, start), start + 2s);
  EXPECT_EQ(cool_down{my_backoff{}}.describe(), "cool_down(custom)");
  EXPECT_EQ(fail(cool_down{my_backoff{}}, start), start + 1s);
  EXPECT_EQ(fail(cool_down{my_backoff{}}, start, failure{.hint = 1000h}), start + 1000h);  // it has no cap
}

TEST(CoolDown, RefusesValuesThatMakeNoSense) {
  EXPECT_REJECTED((cool_down{my_backoff{}, -1}), "anew::cool_down: ignored must be between 0 and 1000, but is -1");
  EXPECT_REJECTED((cool_down{my_backoff{}, 1'001}), "anew::cool_down: ignored must be between 0 and 1000, but is 1001");
  EXPECT_EQ((cool_down{my_backoff{}, 0}.describe()), "cool_down(custom)");
  static_assert(anew::Composable<cool_down<my_backoff, when_cooling::wait, 1'000>>);
  static_assert(!anew::Composable<cool_down<my_backoff, when_cooling::wait, 1'001>>);
  static_assert(!anew::Composable<cool_down<my_backoff, when_cooling::wait, -1>>);
  static_assert(!anew::Composable<cool_down<anew::full_jitter>>);
}

}  // namespace
