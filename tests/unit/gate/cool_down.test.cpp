// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/gate/cool_down.hpp"

namespace gate_cool_down_test {
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

/// Draws the longest pause each time: the backoff's delay itself.
struct the_whole_pause {
  std::uint64_t operator()() const noexcept { return 0; }
};

template <class Gate>
auto enter(Gate const& gate, time_point now) {
  auto const answer = gate.try_enter(now);
  EXPECT_TRUE(answer.pass.has_value());
  return answer.pass.value_or(typename Gate::pass_type{});
}
/// Fails as soon as it may, and returns when the next may begin.
template <class Gate>
time_point fail(Gate const& gate, time_point now, failure const& what = broke) {
  gate.on_failure(enter(gate, now), what, now, the_whole_pause{});
  return anew::detail::larger(now, gate.cooling_until());
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
  // The second is an eighth as far behind the end as behind the beginning, and up to an eighth of the pause more.
  auto const second = gate.try_enter(start + 1s - 1ns);
  EXPECT_GE(second.wait, 124ms);
  EXPECT_LE(second.wait, 250ms);
  EXPECT_TRUE(gate.try_enter(start + 1s).pass.has_value());
}

TEST(CoolDown, OrAreRefused) {
  cool_down<seconds_up_to_a_minute, when_cooling::refuse> const gate;
  EXPECT_FALSE(gate.would_refuse(start));
  gate.on_failure(enter(gate, start), broke, start, the_whole_pause{});
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
  for (auto const pass : passes) gate.on_failure(pass, broke, start + 100ms, the_whole_pause{});
  EXPECT_EQ(gate.failures(), 1U);
  EXPECT_EQ(gate.cooling_until(), start + 1100ms);
}

TEST(CoolDown, ALateFailureStillBringsItsHint) {
  cool_down<seconds_up_to_a_minute> const gate;
  auto const one = enter(gate, start);
  auto const two = enter(gate, start);
  gate.on_failure(one, broke, start, the_whole_pause{});
  gate.on_failure(two, failure{.hint = 7s}, start + 1s, the_whole_pause{});
  EXPECT_EQ(gate.failures(), 1U);
  EXPECT_EQ(gate.cooling_until(), start + 8s);
}

TEST(CoolDown, ATimeIsNeverTakenBack) {
  cool_down<seconds_up_to_a_minute> const gate;
  auto const one = enter(gate, start);
  auto const two = enter(gate, start);
  gate.on_failure(one, failure{.hint = 30s}, start, the_whole_pause{});
  gate.on_failure(two, failure{.hint = 1s}, start, the_whole_pause{});
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
  gate.on_failure(slow, broke, now + 10s, the_whole_pause{});
  EXPECT_EQ(gate.failures(), 0U);
}

TEST(CoolDown, AReleasedPassAndNoPassChangeNothing) {
  cool_down<seconds_up_to_a_minute> const gate;
  auto const pass = enter(gate, start);
  EXPECT_NE(pass, cool_down<>::pass_type{});
  gate.release(pass);
  gate.on_failure({}, broke, start, the_whole_pause{});
  gate.on_success({}, start);
  EXPECT_EQ(gate.failures(), 0U);
  auto const now = fail(gate, start);
  gate.on_failure({}, failure{.hint = 30s}, now, the_whole_pause{});
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
  EXPECT_EQ(fail(gate, start + 1ns), start + 1500us + 1ns);
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
  static_assert(!std::is_copy_constructible_v<cool_down<>> && sizeof(cool_down<>) == 48);
}

struct my_backoff {
  using role = anew::roles::backoff;
  [[nodiscard]] duration delay(std::uint32_t n) const { return 1s * n; }
};

TEST(CoolDown, ValuesOfTheObject) {
  cool_down const chosen{exponential_backoff{2s, 9s}, 1};
  EXPECT_EQ(fail(chosen, start), start);
  EXPECT_EQ(fail(chosen, start), start + 2s);
  EXPECT_EQ(cool_down{my_backoff{}}.describe(), "cool_down(custom)");
  EXPECT_EQ((cool_down{my_backoff{}, 0}.describe()), "cool_down(custom)");
  EXPECT_EQ(fail(cool_down{my_backoff{}}, start), start + 1s);
  EXPECT_EQ(fail(cool_down{my_backoff{}}, start, failure{.hint = 1000h}), start + 1000h);  // it has no cap
}

// --- who waits

/// An attempt that waits: when it asked first.
struct waiting {
  time_point since = time_point::min();
  template <class Gate>
  auto ask(Gate const& gate, time_point now) {
    return gate.try_enter(now, since);
  }
};

TEST(CoolDown, APauseIsDrawnBetweenHalfOfItAndAllOfIt) {
  anew::generator dice{1, 36};
  duration shortest = 4s;
  duration longest{};
  for (int i = 0; i < 2'000; ++i) {
    cool_down<anew::constant_backoff<4s>> const gate;
    gate.on_failure(enter(gate, start), broke, start, dice);
    auto const pause = gate.cooling_until() - start;
    shortest = anew::detail::smaller(shortest, pause);
    longest = anew::detail::larger(longest, pause);
  }
  EXPECT_GE(shortest, 2s);
  EXPECT_LT(shortest, 2010ms);
  EXPECT_LE(longest, 4s);
  EXPECT_GT(longest, 3990ms);
}

TEST(CoolDown, AHintIsNotShortened) {
  anew::generator dice{2, 36};
  for (int i = 0; i < 100; ++i) {
    cool_down<seconds_up_to_a_minute> const gate;
    gate.on_failure(enter(gate, start), failure{.hint = 10s}, start, dice);
    EXPECT_EQ(gate.cooling_until(), start + 10s);
  }
}

TEST(CoolDown, TwoProcessesDoNotComeBackTogether) {
  cool_down<> const one;
  cool_down<> const other;
  one.on_failure(enter(one, start), broke, start);
  other.on_failure(enter(other, start), broke, start);
  EXPECT_NE(one.cooling_until(), other.cooling_until());
}

TEST(CoolDown, OneOfThoseWhoWaitIsTheProbe) {
  cool_down<seconds_up_to_a_minute> const gate;
  fail(gate, start);
  fail(gate, start + 1s);  // a pause of two seconds
  waiting first;
  waiting second;
  waiting third;
  auto const begun = start + 1s;
  auto const until = begun + 2s;
  auto const a = first.ask(gate, begun + 500ms);
  auto const b = second.ask(gate, begun + 1s);
  EXPECT_EQ(a.wait, 1500ms);
  EXPECT_GE(b.wait, 1125ms);  // 125 ms after the end, as it came a second after the beginning
  EXPECT_LE(b.wait, 1375ms);
  ASSERT_TRUE(first.ask(gate, until).pass.has_value());
  auto const again = second.ask(gate, until + 1s);
  EXPECT_FALSE(again.pass.has_value());
  EXPECT_GE(again.wait, 1s);
  EXPECT_LE(again.wait, 1250ms);
  EXPECT_TRUE(waiting{}.ask(gate, until + 1s).pass.has_value());  // a new attempt need not wait
  // A pause after the probe nothing is known of it: another one may begin.
  EXPECT_TRUE(second.ask(gate, until + 2s).pass.has_value());
  EXPECT_FALSE(third.ask(gate, until - 1ms).pass.has_value());
  EXPECT_FALSE(third.ask(gate, until + 2600ms).pass.has_value());
}

/// Asks when it is told to, as all the others do, and succeeds at once. Returns when the last of them began.
template <class Gate>
time_point last_of(Gate const& gate, int count, std::int64_t spread) {
  struct asker {
    time_point at;
    waiting attempt;
  };
  std::vector<asker> all;
  anew::generator dice{3, 36};
  for (int i = 0; i < count; ++i)
    all.push_back({start + duration{static_cast<std::int64_t>(dice()) % spread / 2 + spread / 2}, {}});
  auto const is_later = [](asker const& one, asker const& other) { return one.at > other.at; };
  std::make_heap(all.begin(), all.end(), is_later);
  time_point last{};
  while (!all.empty()) {
    std::pop_heap(all.begin(), all.end(), is_later);
    auto& next = all.back();
    last = next.at;
    auto const answer = next.attempt.ask(gate, next.at);
    if (answer.pass) {
      gate.on_success(*answer.pass, next.at);
      all.pop_back();
    } else {
      EXPECT_GE(answer.wait, 1ns);
      next.at += answer.wait;
      std::push_heap(all.begin(), all.end(), is_later);
    }
  }
  return last;
}

// Nothing else calls: nobody but those who wait can succeed. Some asked at the same time.
TEST(CoolDown, NobodyIsStranded) {
  for (auto const& [count, pauses] : {std::pair{10, 41}, std::pair{100, 124}, std::pair{1'000, 383}}) {
    for (std::int64_t const spread : {1, 1'000, 1'000'000'000}) {
      cool_down<anew::constant_backoff<1s>> const gate;
      fail(gate, start);
      EXPECT_LE(last_of(gate, count, spread) - start, pauses * 1s) << count << " within " << spread << "ns";
    }
  }
}

TEST(CoolDown, WhileItFailsEachPauseLetsOneBegin) {
  cool_down<seconds_up_to_a_minute> const gate;
  fail(gate, start);
  auto const until = start + 1s;
  waiting waiters[5];
  for (auto& one : waiters) EXPECT_FALSE(one.ask(gate, until - 1ms).pass.has_value());
  // Nothing is known of the probes yet.
  for (int pause = 0; pause < 4; ++pause) {
    EXPECT_TRUE(waiters[pause].ask(gate, until + pause * 1s).pass.has_value());
    EXPECT_FALSE(waiters[4].ask(gate, until + pause * 1s + 999ms).pass.has_value());
  }
}

// A caller that only asks what would happen does not join the waiting attempts.
TEST(CoolDown, ToForeseeARefusalChangesNothing) {
  cool_down<anew::constant_backoff<10s>, when_cooling::wait, 0, 8s> const gate;
  fail(gate, start);
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(gate.would_refuse(start + 4s));
  EXPECT_TRUE(gate.would_refuse(start + 1s));
  auto const alone = gate.try_enter(start + 4s);
  EXPECT_FALSE(alone.pass.has_value());
  EXPECT_EQ(alone.wait, 6s);
}

// The first of those who wait gives up: another one asks soon after the end.
TEST(CoolDown, APlaceThatIsGivenUpHoldsNobodyUp) {
  cool_down<anew::constant_backoff<60s>> const gate;
  fail(gate, start);
  waiting gives_up;
  waiting stays;
  EXPECT_EQ(gives_up.ask(gate, start + 1s).wait, 59s);
  auto const told = stays.ask(gate, start + 50s);
  EXPECT_LE(told.wait, 25s);  // a quarter of the pause after its end
  EXPECT_TRUE(stays.ask(gate, start + 50s + told.wait).pass.has_value());
}

TEST(CoolDown, EveryEighthSuccessLetsOneBegin) {
  cool_down<seconds_up_to_a_minute> const gate;
  fail(gate, start);
  waiting waiters[3];
  for (auto& one : waiters) EXPECT_FALSE(one.ask(gate, start + 900ms).pass.has_value());
  auto now = start + 1s;
  auto const probe = waiters[0].ask(gate, now);
  ASSERT_TRUE(probe.pass.has_value());
  auto const also_early = enter(gate, now);
  gate.on_success(*probe.pass, now);
  EXPECT_EQ(gate.failures(), 0U);
  gate.on_success(also_early, now);  // it began before the row ended, and so does not count
  for (int i = 0; i < 6; ++i) gate.on_success(enter(gate, now), now);
  EXPECT_FALSE(waiters[1].ask(gate, now).pass.has_value());
  gate.on_success(enter(gate, now), now);
  EXPECT_TRUE(waiters[1].ask(gate, now).pass.has_value());
  EXPECT_FALSE(waiters[2].ask(gate, now).pass.has_value());
  // Who oversleeps everything finds nobody who still waits.
  now += 1h;
  gate.on_success(enter(gate, now), now);
  EXPECT_TRUE(waiters[2].ask(gate, now).pass.has_value());
}

TEST(CoolDown, AFailureWhileTheyComeBackKeepsThemWaiting) {
  cool_down<seconds_up_to_a_minute> const gate;
  fail(gate, start);
  waiting waiters[2];
  for (auto& one : waiters) EXPECT_FALSE(one.ask(gate, start + 900ms).pass.has_value());
  auto const now = start + 1s;
  auto const probe = waiters[0].ask(gate, now);
  ASSERT_TRUE(probe.pass.has_value());
  gate.on_success(*probe.pass, now);
  for (int i = 0; i < 20; ++i) gate.on_success(enter(gate, now), now);
  fail(gate, now);
  EXPECT_EQ(gate.failures(), 1U);
  EXPECT_FALSE(waiters[1].ask(gate, now + 500ms).pass.has_value());
  EXPECT_TRUE(waiters[1].ask(gate, now + 1500ms).pass.has_value());  // the probe of the new pause
}

TEST(CoolDown, WhoWouldWaitTooLongIsRefused) {
  cool_down<seconds_up_to_a_minute, when_cooling::wait, 0, 3s> const gate;
  auto now = fail(gate, start);
  now = fail(gate, now);
  waiting patient;
  EXPECT_EQ(patient.ask(gate, now - 1s).wait, 1s);
  EXPECT_FALSE(gate.would_refuse(now));
  fail(gate, now);
  EXPECT_TRUE(gate.would_refuse(now + 500ms));  // 3500 ms to go, and half a second behind the end
  auto const refused = patient.ask(gate, now + 1s);
  EXPECT_FALSE(refused.pass.has_value());
  EXPECT_EQ(refused.wait, 0s);
  EXPECT_FALSE(gate.would_refuse(now + 4s));
}

/// A pass is the number of changes that the row has seen, which an attempt cannot outlive.
TEST(CoolDown, NoPassComesBackInALongFlight) {
  cool_down<anew::constant_backoff<1ns>> const gate;
  auto const slow = enter(gate, start);
  auto now = start;
  for (int i = 0; i < 5'000; ++i) {
    now = fail(gate, now);
    gate.on_failure(slow, broke, now, the_whole_pause{});
    ASSERT_EQ(gate.failures(), static_cast<std::uint32_t>(1));
    gate.on_success(slow, now);
    ASSERT_EQ(gate.failures(), static_cast<std::uint32_t>(1));
    now += 1ms;
    gate.on_success(enter(gate, now), now);
    ASSERT_EQ(gate.failures(), 0U);
  }
}

}  // namespace
}  // namespace gate_cool_down_test
