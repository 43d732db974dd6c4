// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/gate/cool_down.hpp"

#include "gate_story.hpp"
#include "names.hpp"

namespace gate_cool_down_test {
namespace {

using namespace anew;
using namespace support;

constexpr time_point start{1'000s};

using seconds_up_to_a_minute = exponential_backoff<1s, 60s>;

/// Fails as soon as it may, and returns when the next may begin.
time_point fail(auto const& gate, time_point now) {
  gate.on_failure(enter(gate, now), broke, now, the_whole_pause{});
  return detail::larger(now, gate.cooling_until());
}

using cooling = cool_down<seconds_up_to_a_minute>;
using refusing = cool_down<seconds_up_to_a_minute, when_cooling::refuse>;

TEST(CoolDown, CoolsAsLongAsItsBackoffSays) {
  play(cooling{},
       "never f until=1000 @next f until=3000 @next f until=7000 @next f until=15000 @next f until=31000 @next f "
       "until=63000 @next f until=123000 @next f until=183000 row=8");
  // The second is an eighth as far behind the end as behind the beginning, and up to an eighth of the pause more.
  play(cooling{}, "f @400 ?600 @1000- ?124..250 @1000 ?yes");
  play(refusing{}, "hopes f @1000- ?no foresees @1000 hopes ?yes");
  // A success ends the row.
  play(cooling{}, "f @next f @next f @next row=3 s row=0 ?yes f until=8000");
  play(cool_down<seconds_up_to_a_minute, when_cooling::wait, 2>{}, "f f row=2 never f until=1000 @next f until=3000");
  // A hint counts from the first failure on; the longer of hint and backoff counts, up to the cap.
  play(cool_down<seconds_up_to_a_minute, when_cooling::wait, 2>{}, "f^5000 until=5000");
  play(cooling{}, "f^5000 until=5000 @next f^1000 until=7000");
  play(cooling{}, "f^360000000 until=60000");
  play(cool_down<no_backoff>{}, "f^360000000 over");
  // The caller's fault neither adds to the row nor ends it.
  play(cooling{}, "c^5000 over row=0 f @next c row=1");
  // Attempts that were under way when the destination went down tell of one failure; of a late one the hint counts.
  play(cooling{}, "a= b= d= @100 f:a f:b f:d row=1 until=1100");
  play(cooling{}, "a= b= f:a @1000 f:b^7000 row=1 until=8000");
  play(cooling{}, "a= b= f:a^30000 f:b^1000 until=30000");
  // What began before the failure does not end the row, and what began before the success does not begin one.
  play(cooling{}, "a= f @100 s:a row=1 until=1000");
  play(cooling{}, "f @next a= s @11000 f:a row=0");
  play(cooling{}, "a= r:a f:0 s:0 row=0 f @next f:0^30000 s:0 row=1 until=1000");
  play(cool_down<constant_backoff<1ms>>{}, "f row=1 @next f row=2 @next s row=0");
  // It is never over too early, and every time has room.
  play(cool_down<constant_backoff<1500us>>{}, "@0+ f until=1.500+");
  play(cooling{}, "@-1001000000 f until=-1000999000");
  play(cooling{}, "@-1001000 f until=-1000000 @next f until=-998000");
  play(cooling{}, "@6999999000000 f until=6999999001000");
  play(cool_down{exponential_backoff{2s, 9s}, 1}, "f over f until=2000");
}

template <class G>
concept ForeseesRefusals = requires(G const& g) { g.would_refuse(start); };

// A retry that would wait for the gate is no reason to end the call.
static_assert(!ForeseesRefusals<cool_down<>>);
static_assert(ForeseesRefusals<cool_down<seconds_up_to_a_minute, when_cooling::refuse>>);

TEST(CoolDown, CountsUpToItsMost) {
  cool_down<constant_backoff<1ms>> const gate;
  auto now = start;
  for (int i = 0; i < 3'000; ++i) now = fail(gate, now);
  EXPECT_EQ(gate.failures(), 1'023U);
  EXPECT_EQ(now, start + 3s);
  gate.on_success(enter(gate, now), now);
  EXPECT_EQ(gate.failures(), 0U);
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
  using role = roles::backoff;
  [[nodiscard]] duration delay(std::uint32_t n) const { return 1s * n; }
};

TEST(CoolDown, TakesABackoffOfOnesOwn) {
  EXPECT_EQ(cool_down{my_backoff{}}.describe(), "cool_down(custom)");
  EXPECT_EQ((cool_down{my_backoff{}, 0}.describe()), "cool_down(custom)");
  play(cool_down{my_backoff{}}, "f until=1000");
  play(cool_down{my_backoff{}}, "f^3600000000 until=3600000000");  // it has no cap
}

// --- who waits

TEST(CoolDown, APauseIsDrawnBetweenHalfOfItAndAllOfIt) {
  generator dice{1, 36};
  duration shortest = 4s;
  duration longest{};
  for (int i = 0; i < 2'000; ++i) {
    cool_down<constant_backoff<4s>> const gate;
    gate.on_failure(enter(gate, start), broke, start, dice);
    auto const pause = gate.cooling_until() - start;
    shortest = detail::smaller(shortest, pause);
    longest = detail::larger(longest, pause);
  }
  EXPECT_GE(shortest, 2s);
  EXPECT_LT(shortest, 2010ms);
  EXPECT_LE(longest, 4s);
  EXPECT_GT(longest, 3990ms);
}

TEST(CoolDown, AHintIsNotShortened) {
  generator dice{2, 36};
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

TEST(CoolDown, OneOfThoseWhoWaitBeginsAtATime) {
  // After a pause of two seconds the first is the probe. The second came a second after the beginning of the pause, and
  // so asks 125 ms after its end. A new attempt need not wait; a pause after the probe nothing is known of it.
  play(cooling{},
       "f @1000 f @1500 ?a:1500 @2000 ?b:1125..1375 @3000 ?a:yes @4000 ?b:1000..1250 ?yes @5000 ?b:yes @2999 "
       "?d:1..9000 @5600 ?d:1..9000");
  // While it fails each pause lets one begin.
  play(cooling{},
       "f @999 ?a:1..9000 ?b:1..9000 ?d:1..9000 ?e:1..9000 @1000 ?a:yes @1999 ?e:1..9000 @2000 ?b:yes @2999 ?e:1..9000 "
       "@3000 ?d:yes @3999 ?e:1..9000");
  // A caller that only asks what would happen does not join the waiting attempts.
  play(cool_down<constant_backoff<10s>, when_cooling::wait, 0, 8s>{},
       "f @4000 hopes hopes hopes @1000 foresees @4000 ?6000");
  // The first of those who wait gives up: another one asks soon after the end, in a quarter of the pause.
  play(cool_down<constant_backoff<60s>>{}, "f @1000 ?a:59000 @50000 ?b:1..25000 @75000 ?b:yes");
  // Every eighth success lets one begin; one that began before the row ended does not count. Who oversleeps everything
  // finds nobody who still waits.
  play(cooling{},
       "f @900 ?a:1..9000 ?b:1..9000 ?d:1..9000 @1000 ?a:yes x= s:a row=0 s:x s*6 ?b:1..9000 s ?b:yes ?d:1..9000 "
       "@3601000 s ?d:yes");
  // A failure while they come back keeps them waiting, for the probe of the new pause.
  play(cooling{}, "f @900 ?a:1..9000 ?b:1..9000 @1000 ?a:yes s:a s*20 f row=1 @1500 ?b:1..9000 @2500 ?b:yes");
  // Who would wait too long is refused: 3500 ms to go, and half a second behind the end.
  play(cool_down<seconds_up_to_a_minute, when_cooling::wait, 0, 3s>{},
       "f @next f @2000 ?a:1000 @3000 hopes f @3500 foresees @4000 ?a:no @7000 hopes");
}

/// A pass is the number of changes that the row has seen, which an attempt cannot outlive.
TEST(CoolDown, NoPassComesBackInALongFlight) {
  cool_down<constant_backoff<1ns>> const gate;
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
