// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/gate/rate_breaker.hpp"

#include "breaker_support.hpp"

namespace gate_rate_breaker_test {
namespace {

using namespace std::chrono_literals;
using anew::breaker_state;
using anew::error_kind;
using anew::failure;
using anew::rate_breaker;
using anew::time_point;
using support::broke;
using support::enter;
using support::fail;
using support::succeed;

constexpr time_point start{1'000s};

TEST(RateBreaker, OpensAtItsRate) {
  rate_breaker<50, 10s, 20, 30s> const breaker;
  succeed(breaker, start, 15);
  fail(breaker, start, 14);
  EXPECT_EQ(breaker.state(), breaker_state::closed);  // 14 of 29
  fail(breaker, start);
  EXPECT_EQ(breaker.state(), breaker_state::open);  // 15 of 30
  EXPECT_FALSE(breaker.try_enter(start + 30s - 1ns).pass.has_value());
  EXPECT_TRUE(breaker.would_refuse(start + 30s - 1ns));
  EXPECT_FALSE(breaker.would_refuse(start + 30s));
  EXPECT_TRUE(breaker.try_enter(start + 30s).pass.has_value());
}

TEST(RateBreaker, NotBeforeItsVolume) {
  rate_breaker<50, 10s, 20, 30s> const breaker;
  fail(breaker, start, 19);
  EXPECT_EQ(breaker.state(), breaker_state::closed);
  fail(breaker, start);
  EXPECT_EQ(breaker.state(), breaker_state::open);
}

TEST(RateBreaker, ItsRateOfItsVolumeIsEnough) {
  rate_breaker<50, 10s, 20, 30s> const breaker;
  succeed(breaker, start, 10);
  fail(breaker, start, 9);
  EXPECT_EQ(breaker.state(), breaker_state::closed);
  fail(breaker, start);
  EXPECT_EQ(breaker.state(), breaker_state::open);
}

TEST(RateBreaker, OpensUponAFailureNotUponASuccess) {
  rate_breaker<50, 10s, 20, 30s> const breaker;
  fail(breaker, start, 19);
  succeed(breaker, start);  // the volume is reached, and 95 % failed
  EXPECT_EQ(breaker.state(), breaker_state::closed);
  fail(breaker, start);
  EXPECT_EQ(breaker.state(), breaker_state::open);
}

TEST(RateBreaker, AHundredPercentMeansAll) {
  rate_breaker<100, 10s, 5, 30s> const breaker;
  succeed(breaker, start);
  fail(breaker, start, 1000);
  EXPECT_EQ(breaker.state(), breaker_state::closed);
  fail(breaker, start + 20s, 5);
  EXPECT_EQ(breaker.state(), breaker_state::open);
}

TEST(RateBreaker, OnePercentIsEnoughForOne) {
  rate_breaker<1, 10s, 100, 30s> const breaker;
  succeed(breaker, start, 99);
  fail(breaker, start);
  EXPECT_EQ(breaker.state(), breaker_state::open);
  rate_breaker<1, 10s, 100, 30s> const other;
  succeed(other, start, 100);
  fail(other, start);
  EXPECT_EQ(other.state(), breaker_state::closed);
}

TEST(RateBreaker, TheCallersFaultIsNotCounted) {
  rate_breaker<50, 10s, 4, 30s> const breaker;
  for (int i = 0; i < 100; ++i) {
    breaker.on_failure(enter(breaker, start), failure{.kind = error_kind::client}, start);
  }
  fail(breaker, start, 3);
  EXPECT_EQ(breaker.state(), breaker_state::closed);
  fail(breaker, start);
  EXPECT_EQ(breaker.state(), breaker_state::open);
}

// 1000 s is the beginning of an eighth of 10 s: the window is the one of now and the seven before.
TEST(RateBreaker, TheWindowSlides) {
  rate_breaker<50, 10s, 4, 30s> const breaker;
  fail(breaker, start, 3);
  fail(breaker, start + 10s);  // the three are out of it
  EXPECT_EQ(breaker.state(), breaker_state::closed);
  rate_breaker<50, 10s, 4, 30s> const other;
  fail(other, start, 3);
  fail(other, start + 10s - 1ns);  // still in it
  EXPECT_EQ(other.state(), breaker_state::open);
}

TEST(RateBreaker, EveryEighthIsCounted) {
  rate_breaker<50, 8s, 8, 30s> const breaker;
  for (int i = 0; i < 7; ++i) fail(breaker, start + i * 1s);
  EXPECT_EQ(breaker.state(), breaker_state::closed);
  fail(breaker, start + 7s);
  EXPECT_EQ(breaker.state(), breaker_state::open);
}

TEST(RateBreaker, OldEighthsAreLeftOutOneByOne) {
  rate_breaker<50, 8s, 100, 30s> const breaker;
  for (int i = 0; i < 1'000; ++i) {  // 12 per second are 96 in 8 s, however long
    fail(breaker, start + i * 1s, 12);
    ASSERT_EQ(breaker.state(), breaker_state::closed) << i;
  }
}

TEST(RateBreaker, AfterWeeksOfSilenceItCountsAgain) {
  for (auto const pause : {24h, 24h * 20, 24h * 40, 24h * 100, 24h * 3650}) {
    rate_breaker<50, 10s, 20, 30s> const breaker;
    for (int i = 0; i < 8; ++i) fail(breaker, start + i * 1250ms);  // each slot of the ring is in use
    for (int i = 0; i < 8; ++i) fail(breaker, start + pause + i * 1250ms, 2);
    EXPECT_EQ(breaker.state(), breaker_state::closed);
    fail(breaker, start + pause + 9s, 4);
    EXPECT_EQ(breaker.state(), breaker_state::open) << pause.count();
  }
}

TEST(RateBreaker, AnAttemptThatIsLateByAWindowIsNotCounted) {
  rate_breaker<50, 8s, 4, 30s> const breaker;
  auto const late = enter(breaker, start);
  fail(breaker, start + 8s, 3);            // takes the slot that the late one would count in
  breaker.on_failure(late, broke, start);  // another thread read the time long before
  fail(breaker, start + 9s);
  EXPECT_EQ(breaker.state(), breaker_state::open);  // the three were not swept away: 4 of 4
}

TEST(RateBreaker, ProbesDecideAndTheWindowBeginsAnew) {
  rate_breaker<50, 3600s, 4, 1s, 2> const breaker;
  fail(breaker, start, 4);
  ASSERT_EQ(breaker.state(), breaker_state::open);
  auto const now = start + 1s;
  auto const one = enter(breaker, now);
  auto const two = enter(breaker, now);
  EXPECT_FALSE(breaker.try_enter(now).pass.has_value());
  breaker.on_success(one, now);
  EXPECT_EQ(breaker.state(), breaker_state::half_open);
  breaker.on_success(two, now);
  ASSERT_EQ(breaker.state(), breaker_state::closed);
  fail(breaker, now, 3);  // the old failures would still be in the window
  EXPECT_EQ(breaker.state(), breaker_state::closed);
  fail(breaker, now);
  EXPECT_EQ(breaker.state(), breaker_state::open);
}

TEST(RateBreaker, AFailedProbeOpensAndAReleasedOneFreesItsPlace) {
  rate_breaker<50, 10s, 2, 1s> const breaker;
  fail(breaker, start, 2);
  auto now = start + 1s;
  breaker.release(enter(breaker, now));
  breaker.on_failure(enter(breaker, now), failure{.kind = error_kind::client}, now);
  EXPECT_EQ(breaker.state(), breaker_state::half_open);
  fail(breaker, now);
  EXPECT_EQ(breaker.state(), breaker_state::open);
  EXPECT_FALSE(breaker.try_enter(now + 1s - 1ns).pass.has_value());
  succeed(breaker, now + 1s);
  EXPECT_EQ(breaker.state(), breaker_state::closed);
}

TEST(RateBreaker, WhatBeganBeforeAChangeIsIgnored) {
  rate_breaker<50, 3600s, 2, 1s> const breaker;
  auto const old = enter(breaker, start);
  fail(breaker, start, 2);
  breaker.on_success(old, start);
  breaker.on_failure(old, broke, start + 900ms);
  auto const probe = enter(breaker, start + 1s);
  breaker.on_failure(old, broke, start + 1s);
  breaker.on_success(old, start + 1s);
  EXPECT_EQ(breaker.state(), breaker_state::half_open);
  breaker.on_success(probe, start + 1s);
  for (int i = 0; i < 10; ++i) breaker.on_failure(old, broke, start + 1s);
  fail(breaker, start + 1s);
  EXPECT_EQ(breaker.state(), breaker_state::closed);
  breaker.on_failure({}, broke, start + 1s);
  EXPECT_EQ(breaker.state(), breaker_state::closed);
}

TEST(RateBreaker, AFullSlotKeepsItsRate) {
  rate_breaker<40, 3600s, 32'767, 30s> const breaker;
  succeed(breaker, start, 500'000);
  fail(breaker, start, 15'000);
  EXPECT_EQ(breaker.state(), breaker_state::closed);
}

TEST(RateBreaker, SuccessesAndFailuresOfAnHourInTurn) {
  rate_breaker<60, 3600s, 32'767, 30s> const breaker;
  for (int i = 0; i < 200'000; ++i) {
    succeed(breaker, start);
    fail(breaker, start);
  }
  EXPECT_EQ(breaker.state(), breaker_state::closed);  // 50 %
  int failures = 0;
  for (; breaker.state() == breaker_state::closed && failures < 200'000; ++failures) fail(breaker, start);
  EXPECT_EQ(failures, 100'000);  // 300,000 of 500,000
}

TEST(RateBreaker, TimesBeforeTheEpoch) {
  rate_breaker<50, 8s, 4, 30s> const breaker;
  fail(breaker, time_point{-1ns}, 2);
  fail(breaker, time_point{0s});
  EXPECT_EQ(breaker.state(), breaker_state::closed);
  fail(breaker, time_point{1ns});
  EXPECT_EQ(breaker.state(), breaker_state::open);
  rate_breaker<50, 8s, 4, 30s> const other;
  fail(other, time_point{-7s - 1ns}, 3);  // the eighth before the seven
  fail(other, time_point{0s});
  EXPECT_EQ(other.state(), breaker_state::closed);
}

TEST(RateBreaker, TheShortestWindow) {
  rate_breaker<50, 250ms, 2, 30s> const breaker;
  fail(breaker, start);
  fail(breaker, start + 250ms);
  EXPECT_EQ(breaker.state(), breaker_state::closed);
  fail(breaker, start + 250ms);
  EXPECT_EQ(breaker.state(), breaker_state::open);
}

TEST(RateBreaker, BeforeTheEpochNothingIsLater) {
  for (auto const before : {250ms, 25'000ms, 31'750ms}) {
    rate_breaker<50, 250ms, 2, 30s> const breaker;
    fail(breaker, time_point{-before}, 2);
    EXPECT_EQ(breaker.state(), breaker_state::open);
  }
}

// A failure on a thread whose clock is behind sees what others counted meanwhile.
TEST(RateBreaker, TheWindowEndsWithTheNewestEnd) {
  rate_breaker<50, 8s, 3, 30s> const breaker;
  fail(breaker, start + 3s, 2);
  fail(breaker, start);
  EXPECT_EQ(breaker.state(), breaker_state::open);
}

// However many ends an eighth has: it opens at its rate, neither late nor early.
TEST(RateBreaker, ABusyEighthCountsEachEnd) {
  rate_breaker<50, 8s, 20, 30s> const before;
  for (int eighth = 0; eighth != 7; ++eighth) succeed(before, start + eighth * 1s, 20'000);
  fail(before, start + 7s, 139'999);
  EXPECT_EQ(before.state(), breaker_state::closed);
  fail(before, start + 7s);
  EXPECT_EQ(before.state(), breaker_state::open);

  rate_breaker<1, 8s, 20, 30s> const rare;
  succeed(rare, start, 198'000);
  fail(rare, start, 1'999);
  EXPECT_EQ(rare.state(), breaker_state::closed);
  fail(rare, start);
  EXPECT_EQ(rare.state(), breaker_state::open);
}

// Where a count is full all counts of the window are halved: what ended before weighs half, in every eighth alike.
TEST(RateBreaker, FullCountsKeepTheRateOfTheWindow) {
  anew::detail::failure_window<8> const window;  // 255 ends of a kind in an eighth
  auto const sum = [&](time_point now) { return window.sum(window.successes(), 3, now, 8s); };
  for (int i = 0; i != 200; ++i) window.add_success(3, start, 8s);
  for (int i = 0; i != 100; ++i) window.add_failure(window.successes(), 3, start + 1s, 8s);
  for (int i = 0; i != 40; ++i) window.add_failure(window.successes(), 9, start + 2s, 8s);  // of another generation
  for (int i = 0; i != 255; ++i) window.add_success(3, start + 3s, 8s);
  EXPECT_EQ(sum(start + 3s).ended, 555U);
  EXPECT_EQ(sum(start + 3s).failed, 100U);
  window.add_success(3, start + 3s, 8s);
  EXPECT_EQ(sum(start + 3s).ended, 100U + 50U + 128U);
  EXPECT_EQ(sum(start + 3s).failed, 50U);
  EXPECT_EQ(window.sum(window.successes(), 9, start + 3s, 8s).failed, 40U);
  for (int i = 0; i != 205; ++i) window.add_failure(window.successes(), 3, start + 1s, 8s);
  EXPECT_EQ(sum(start + 3s).failed, 255U);
  window.add_failure(window.successes(), 3, start + 1s, 8s);
  EXPECT_EQ(sum(start + 3s).failed, 128U);
  EXPECT_EQ(sum(start + 3s).ended, 128U + 50U + 64U);
}

TEST(RateBreaker, MovesWithEveryEighth) {
  rate_breaker breaker{50, 8s, 9, 30s};
  for (int i = 0; i < 8; ++i) fail(breaker, start + i * 1s);
  rate_breaker const moved{std::move(breaker)};
  EXPECT_EQ(moved.state(), breaker_state::closed);
  fail(moved, start + 7s);
  EXPECT_EQ(moved.state(), breaker_state::open);  // the ninth of nine
}

TEST(RateBreaker, MovesAsItStands) {
  rate_breaker breaker{50, 10s, 4, 30s};
  fail(breaker, start, 3);
  rate_breaker const moved{std::move(breaker)};
  fail(moved, start);
  EXPECT_EQ(moved.state(), breaker_state::open);
  static_assert(!std::is_copy_constructible_v<rate_breaker<>>);
  static_assert(sizeof(rate_breaker<>) == 136);
}

TEST(RateBreaker, ValuesOfTheTypeAndOfTheObjectAgree) {
  EXPECT_EQ((rate_breaker<7, 1500ms, 3, 2s, 4>{}.describe()), "rate_breaker(7%,1500ms,3,2s,4)");
  EXPECT_EQ((rate_breaker{7, 1500ms, 3, 2s, 4}.describe()), "rate_breaker(7%,1500ms,3,2s,4)");
  EXPECT_EQ((rate_breaker{7U, 1h, 3L, 2min}.describe()), "rate_breaker(7%,3600s,3,120s)");
  rate_breaker const chosen{25, 10s, 4, 5s, 2};
  succeed(chosen, start, 3);
  fail(chosen, start);
  EXPECT_EQ(chosen.state(), breaker_state::open);
  succeed(chosen, start + 5s);
  EXPECT_EQ(chosen.state(), breaker_state::half_open);
  succeed(chosen, start + 5s);
  EXPECT_EQ(chosen.state(), breaker_state::closed);
}

TEST(RateBreaker, UnsoundTypesAreNoPolicies) {
  static_assert(anew::Composable<rate_breaker<100, 250ms, 32'767, 1ns, 4'194'303>>);
  static_assert(anew::Composable<rate_breaker<1>>);
  static_assert(!anew::Composable<rate_breaker<0>>);
  static_assert(!anew::Composable<rate_breaker<101>>);
  static_assert(!anew::Composable<rate_breaker<50, 0s>> && !anew::Composable<rate_breaker<50, 249ms>>);
  static_assert(!anew::Composable<rate_breaker<50, 1s, 0>>);
  static_assert(!anew::Composable<rate_breaker<50, 1s, 32'768>>);
  static_assert(!anew::Composable<rate_breaker<50, 1s, 1, 0s>>);
  static_assert(!anew::Composable<rate_breaker<50, 1s, 1, 1s, 0>>);
}

}  // namespace
}  // namespace gate_rate_breaker_test
