// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/gate/circuit_breaker.hpp"

#include "breaker_support.hpp"
#include "gate_story.hpp"

namespace gate_circuit_breaker_test {
namespace {

using namespace anew;
using namespace std::chrono_literals;
using namespace support;

constexpr time_point start{1'000s};

TEST(CircuitBreaker, OpensAndCloses) {
  auto const plays = [&](int failures, duration open_for, int probes, char const* script) {
    play(circuit_breaker{failures, open_for, probes}, script);
  };
  plays(3, 30s, 1, "f f closed ?yes f open ?no");
  plays(3, 30s, 1, "f f s f f s f f closed f open");
  plays(1, 1ms, 1, "f open");
  plays(2, 30s, 1, "c*10 closed f c f open");
  plays(1, 30s, 1, "transient open");
  plays(1, 30s, 1, "throttling open");
  plays(1, 30s, 1, "timeout open");
  plays(1, 30s, 1, "f @30000- ?no open foresees @30000 hopes p= half_open s:p closed");
  plays(1, 1500us, 1, "@0+ f @1.500 ?no @2 ?yes");  // never open too shortly
  // One probe at a time, however long it takes; it may be over when somebody asks.
  plays(2, 30s, 1, "f f @30000 p= ?no @3600000 ?no @31000 hopes @40000 f:p open @70000- ?no @70000 ?yes");
  plays(2, 10s, 2, "f f open @10000- ?no @10000 s half_open s closed");
  plays(1, 30s, 3, "f @30000 a= b= d= ?no s:b ?no s:a half_open s:d closed ?yes");
  // A failure among the probes opens it, and the others are ignored: they prolong nothing and free no place.
  plays(1, 30s, 3,
        "f @30000 x= y= z= s:x f:y open s:z @40000 f:z open @60000 a= r:z s:z half_open b= d= ?no s:a s:b s:d closed");
  plays(1, 30s, 1, "f @30000 p= ?no r:p half_open p= ?no r:p half_open p= c:p half_open p= ?no c:p half_open s closed");
  plays(2, 30s, 1, "f r closed f open");
  // What began before a change is ignored.
  plays(2, 30s, 1, "o= f f open s:o @20000 f:o @30000 p= s:o f:o r:o half_open ?no s:p closed @31000 f:o f:p f closed");
  plays(3, 30s, 1, "f*3 @30000 s f f closed f open");
  plays(1, 30s, 1, "f:0 s:0 r:0 closed hopes @-1000000000000 hopes closed");
  // By hand: what began before counts no longer, and no time opens what is isolated.
  plays(2, 30s, 1,
        "o= isolate s:o f:o open ?no foresees @3000000000 ?no isolate open close hopes ?yes f closed f open");
  plays(2, 30s, 1, "f close f closed f open close ?yes f closed");
  plays(1, 30s, 2, "f @30000 p= isolate s:p ?no close f:p closed f open @60000 p= close s:p closed f open");
  play(circuit_breaker<7, 1500ms, 2>{}, "f*6 closed f open @1500- ?no @1500 s half_open s closed");
}

TEST(CircuitBreaker, IsUntouchedUntilAnAttemptFails) {
  circuit_breaker<5> const breaker;
  EXPECT_TRUE(breaker.is_untouched());
  fail(breaker, start);
  EXPECT_FALSE(breaker.is_untouched());
  succeed(breaker, start);
  EXPECT_TRUE(breaker.is_untouched());
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
    EXPECT_FALSE(breaker.try_enter(at + 30s - 1ms).pass.has_value());
    EXPECT_TRUE(breaker.try_enter(at + 30s + 1ms).pass.has_value());
  }
  circuit_breaker const forever{1, duration::max()};
  fail(forever, start);
  EXPECT_FALSE(forever.try_enter(start + 24h * 365 * 200).pass.has_value());
}

TEST(CircuitBreaker, MovesAsItStands) {
  circuit_breaker breaker{1, 30s};
  fail(breaker, start);
  circuit_breaker const moved{std::move(breaker)};
  play(moved, "open @29000 ?no");
  static_assert(!std::is_copy_constructible_v<circuit_breaker<>> && sizeof(circuit_breaker<>) == 8);
}

}  // namespace
}  // namespace gate_circuit_breaker_test
