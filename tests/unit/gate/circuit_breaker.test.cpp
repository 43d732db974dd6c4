// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/gate/circuit_breaker.hpp"

#include "breaker_support.hpp"

namespace gate_circuit_breaker_test {
namespace {

using namespace std::chrono_literals;
using anew::breaker_state;
using anew::circuit_breaker;
using anew::error_kind;
using anew::failure;
using anew::time_point;
using support::broke;
using support::enter;
using support::fail;

constexpr time_point start{1'000s};
constexpr failure callers_fault{.kind = error_kind::client};

template <class Breaker>
bool refuses(Breaker const& breaker, time_point now) {
  auto const answer = breaker.try_enter(now);
  if (answer.pass) breaker.release(*answer.pass);
  EXPECT_EQ(answer.wait, 0s);  // refused, not asked to wait
  return !answer.pass;
}

TEST(CircuitBreaker, OpensAfterSoManyFailuresInARow) {
  circuit_breaker<3, 30s> const breaker;
  fail(breaker, start);
  fail(breaker, start);
  EXPECT_EQ(breaker.state(), breaker_state::closed);
  EXPECT_FALSE(refuses(breaker, start));
  fail(breaker, start);
  EXPECT_EQ(breaker.state(), breaker_state::open);
  EXPECT_TRUE(refuses(breaker, start));
}

TEST(CircuitBreaker, ASuccessEndsTheRow) {
  circuit_breaker<3, 30s> const breaker;
  for (int i = 0; i < 100; ++i) {
    fail(breaker, start);
    fail(breaker, start);
    breaker.on_success(enter(breaker, start), start);
  }
  EXPECT_EQ(breaker.state(), breaker_state::closed);
}

TEST(CircuitBreaker, OneFailureMayBeEnough) {
  circuit_breaker<1, 1ms> const breaker;
  fail(breaker, start);
  EXPECT_EQ(breaker.state(), breaker_state::open);
}

TEST(CircuitBreaker, TheCallersFaultNeitherOpensNorEndsTheRow) {
  circuit_breaker<2, 30s> const breaker;
  for (int i = 0; i < 10; ++i) breaker.on_failure(enter(breaker, start), callers_fault, start);
  EXPECT_EQ(breaker.state(), breaker_state::closed);
  fail(breaker, start);
  breaker.on_failure(enter(breaker, start), callers_fault, start);
  fail(breaker, start);
  EXPECT_EQ(breaker.state(), breaker_state::open);
}

TEST(CircuitBreaker, EveryOtherKindCounts) {
  for (auto kind : {error_kind::transient, error_kind::throttling, error_kind::timeout, error_kind::server}) {
    circuit_breaker<1, 30s> const breaker;
    breaker.on_failure(enter(breaker, start), {.kind = kind}, start);
    EXPECT_EQ(breaker.state(), breaker_state::open) << to_string(kind);
  }
}

TEST(CircuitBreaker, StaysOpenForItsTimeAndNoLonger) {
  circuit_breaker<1, 30s> const breaker;
  fail(breaker, start);
  EXPECT_TRUE(refuses(breaker, start + 30s - 1ns));
  EXPECT_EQ(breaker.state(), breaker_state::open);
  EXPECT_TRUE(breaker.would_refuse(start + 30s - 1ns));
  EXPECT_FALSE(breaker.would_refuse(start + 30s));
  auto const probe = enter(breaker, start + 30s);
  EXPECT_EQ(breaker.state(), breaker_state::half_open);
  breaker.on_success(probe, start + 30s);
  EXPECT_EQ(breaker.state(), breaker_state::closed);
}

TEST(CircuitBreaker, IsNeverOpenTooShortly) {
  circuit_breaker<1, 1500us> const breaker;
  fail(breaker, start + 1ns);
  EXPECT_TRUE(refuses(breaker, start + 1500us));
  EXPECT_FALSE(refuses(breaker, start + 2ms));
}

TEST(CircuitBreaker, NeverOpensWhatWasNeverOpened) {
  circuit_breaker<1, 30s> const breaker;
  EXPECT_FALSE(breaker.would_refuse(start));
  EXPECT_FALSE(breaker.would_refuse(time_point::min()));
  EXPECT_EQ(breaker.state(), breaker_state::closed);
}

TEST(CircuitBreaker, OneProbeAtATimeAndAFailureOpensAgain) {
  circuit_breaker<2, 30s> const breaker;
  fail(breaker, start);
  fail(breaker, start);
  auto const probe = enter(breaker, start + 30s);
  EXPECT_TRUE(refuses(breaker, start + 30s));
  EXPECT_TRUE(refuses(breaker, start + 3600s));     // however long it takes
  EXPECT_FALSE(breaker.would_refuse(start + 31s));  // it may be over by then
  breaker.on_failure(probe, broke, start + 40s);
  EXPECT_EQ(breaker.state(), breaker_state::open);
  EXPECT_TRUE(refuses(breaker, start + 70s - 1ns));
  EXPECT_FALSE(refuses(breaker, start + 70s));
}

TEST(CircuitBreaker, AllProbesMustSucceed) {
  circuit_breaker<1, 30s, 3> const breaker;
  fail(breaker, start);
  auto const now = start + 30s;
  auto const first = enter(breaker, now);
  auto const second = enter(breaker, now);
  auto const third = enter(breaker, now);
  EXPECT_TRUE(refuses(breaker, now));
  breaker.on_success(second, now);
  EXPECT_TRUE(refuses(breaker, now));  // three are enough, succeeded ones among them
  breaker.on_success(first, now);
  EXPECT_EQ(breaker.state(), breaker_state::half_open);
  breaker.on_success(third, now);
  EXPECT_EQ(breaker.state(), breaker_state::closed);
  EXPECT_FALSE(refuses(breaker, now));
}

TEST(CircuitBreaker, OneFailureAmongTheProbesOpensAndTheOthersAreIgnored) {
  circuit_breaker<1, 30s, 3> const breaker;
  fail(breaker, start);
  auto now = start + 30s;
  auto const first = enter(breaker, now);
  auto const second = enter(breaker, now);
  auto const third = enter(breaker, now);
  breaker.on_success(first, now);
  breaker.on_failure(second, broke, now);
  EXPECT_EQ(breaker.state(), breaker_state::open);
  breaker.on_success(third, now);
  breaker.on_failure(third, broke, now + 10s);  // does not prolong it either
  EXPECT_EQ(breaker.state(), breaker_state::open);
  now += 30s;
  auto const again = enter(breaker, now);
  breaker.release(third);
  breaker.on_success(third, now);
  EXPECT_EQ(breaker.state(), breaker_state::half_open);
  auto const and_again = enter(breaker, now);
  auto const last = enter(breaker, now);
  EXPECT_TRUE(refuses(breaker, now));  // the ignored ones freed no place
  breaker.on_success(again, now);
  breaker.on_success(and_again, now);
  breaker.on_success(last, now);
  EXPECT_EQ(breaker.state(), breaker_state::closed);
}

TEST(CircuitBreaker, AThrownAwayProbeFreesItsPlace) {
  circuit_breaker<1, 30s> const breaker;
  fail(breaker, start);
  auto const now = start + 30s;
  for (int i = 0; i < 5; ++i) {
    auto const probe = enter(breaker, now);
    EXPECT_TRUE(refuses(breaker, now));
    breaker.release(probe);
    EXPECT_EQ(breaker.state(), breaker_state::half_open);
  }
  for (int i = 0; i < 5; ++i) {
    auto const probe = enter(breaker, now);
    breaker.on_failure(probe, callers_fault, now);  // says nothing about the destination
    EXPECT_EQ(breaker.state(), breaker_state::half_open);
  }
  breaker.on_success(enter(breaker, now), now);
  EXPECT_EQ(breaker.state(), breaker_state::closed);
}

TEST(CircuitBreaker, AReleasedAttemptSaysNothingWhileClosed) {
  circuit_breaker<2, 30s> const breaker;
  fail(breaker, start);
  breaker.release(enter(breaker, start));
  EXPECT_EQ(breaker.state(), breaker_state::closed);
  fail(breaker, start);
  EXPECT_EQ(breaker.state(), breaker_state::open);
}

TEST(CircuitBreaker, WhatBeganBeforeAChangeIsIgnored) {
  circuit_breaker<2, 30s> const breaker;
  auto const old = enter(breaker, start);
  fail(breaker, start);
  fail(breaker, start);
  ASSERT_EQ(breaker.state(), breaker_state::open);
  breaker.on_success(old, start);
  breaker.on_failure(old, broke, start + 20s);  // neither closes it nor prolongs it
  auto const probe = enter(breaker, start + 30s);
  breaker.on_success(old, start + 30s);
  breaker.on_failure(old, broke, start + 30s);
  breaker.release(old);
  EXPECT_EQ(breaker.state(), breaker_state::half_open);
  EXPECT_TRUE(refuses(breaker, start + 30s));
  breaker.on_success(probe, start + 30s);
  ASSERT_EQ(breaker.state(), breaker_state::closed);
  breaker.on_failure(old, broke, start + 31s);
  breaker.on_failure(probe, broke, start + 31s);
  fail(breaker, start + 31s);
  EXPECT_EQ(breaker.state(), breaker_state::closed);  // one of two
}

TEST(CircuitBreaker, TheRowBeginsAnewAfterClosing) {
  circuit_breaker<3, 30s> const breaker;
  for (int i = 0; i < 3; ++i) fail(breaker, start);
  breaker.on_success(enter(breaker, start + 30s), start + 30s);
  fail(breaker, start + 30s);
  fail(breaker, start + 30s);
  EXPECT_EQ(breaker.state(), breaker_state::closed);
  fail(breaker, start + 30s);
  EXPECT_EQ(breaker.state(), breaker_state::open);
}

TEST(CircuitBreaker, NoPassMeansNothing) {
  circuit_breaker<1, 30s> const breaker;
  breaker.on_failure({}, broke, start);
  breaker.on_success({}, start);
  breaker.release({});
  EXPECT_EQ(breaker.state(), breaker_state::closed);
  EXPECT_NE(enter(breaker, start), circuit_breaker<>::pass_type{});
}

TEST(CircuitBreaker, GenerationsGoRound) {
  circuit_breaker<1, 1ms> const breaker;
  auto now = start;
  for (int i = 0; i < 300'000; ++i) {  // above 2^18
    breaker.on_failure(enter(breaker, now), broke, now);
    now += 1ms;
    auto const probe = enter(breaker, now);
    ASSERT_NE(probe, 0U);
    breaker.on_success(probe, now);
  }
  EXPECT_EQ(breaker.state(), breaker_state::closed);
  fail(breaker, now);
  EXPECT_EQ(breaker.state(), breaker_state::open);
}

TEST(CircuitBreaker, EveryTimeHasRoom) {
  for (auto const at : {time_point{-1'000'000s}, time_point{-1ns}, time_point{0s}, time_point{1ns},
                        time_point{2'000'000'000s}, time_point{7'000'000'000s}}) {
    circuit_breaker<1, 30s> const breaker;
    fail(breaker, at);
    EXPECT_TRUE(refuses(breaker, at + 30s - 1ms));
    EXPECT_FALSE(refuses(breaker, at + 30s + 1ms));
  }
  circuit_breaker const forever{1, anew::duration::max()};
  fail(forever, start);
  EXPECT_TRUE(refuses(forever, start + 24h * 365 * 200));
}

TEST(CircuitBreaker, MovesAsItStands) {
  circuit_breaker breaker{1, 30s};
  fail(breaker, start);
  circuit_breaker const moved{std::move(breaker)};
  EXPECT_EQ(moved.state(), breaker_state::open);
  EXPECT_TRUE(refuses(moved, start + 29s));
  static_assert(!std::is_copy_constructible_v<circuit_breaker<>>);
  static_assert(sizeof(circuit_breaker<>) == 8);
}

TEST(CircuitBreaker, ValuesOfTheTypeAndOfTheObjectAgree) {
  EXPECT_EQ((circuit_breaker<7, 1500ms, 2>{}.describe()), "circuit_breaker(7,1500ms,2)");
  EXPECT_EQ((circuit_breaker{7, 1500ms, 2}.describe()), "circuit_breaker(7,1500ms,2)");
  EXPECT_EQ((circuit_breaker{7U, 1h}.describe()), "circuit_breaker(7,3600s)");
  circuit_breaker const chosen{2, 10s, 2};
  fail(chosen, start);
  fail(chosen, start);
  EXPECT_EQ(chosen.state(), breaker_state::open);
  EXPECT_TRUE(refuses(chosen, start + 10s - 1ns));
  breaker_state seen = breaker_state::open;
  for (int i = 0; i < 2; ++i) {
    breaker_state const before = chosen.state();
    chosen.on_success(enter(chosen, start + 10s), start + 10s);
    EXPECT_EQ(before, seen);
    seen = breaker_state::half_open;
  }
  EXPECT_EQ(chosen.state(), breaker_state::closed);
}

TEST(CircuitBreaker, UnsoundTypesAreNoPolicies) {
  static_assert(anew::Composable<circuit_breaker<1, 1ns, 4'194'303>>);
  static_assert(!anew::Composable<circuit_breaker<0>>);
  static_assert(!anew::Composable<circuit_breaker<4'294'967'296>>);
  static_assert(!anew::Composable<circuit_breaker<1, 0s>>);
  static_assert(!anew::Composable<circuit_breaker<1, 1s, 0>>);
  static_assert(!anew::Composable<circuit_breaker<1, 1s, 4'194'304>>);
}

TEST(BreakerState, HasAWordForEach) {
  EXPECT_STREQ(to_string(breaker_state::closed), "closed");
  EXPECT_STREQ(to_string(breaker_state::open), "open");
  EXPECT_STREQ(to_string(breaker_state::half_open), "half_open");
}

}  // namespace
}  // namespace gate_circuit_breaker_test
