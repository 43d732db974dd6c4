// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/gate/rate_breaker.hpp"
#include "anew/policies/gate/striped_rate_breaker.hpp"
#include "anew/policies/quota/striped.hpp"

#include "breaker_support.hpp"
#include "gate_story.hpp"
#include "names.hpp"
#include "together.hpp"

namespace gate_rate_breaker_test {
namespace {

using namespace anew;
using namespace support;

constexpr time_point start{1'000s};

TEST(RateBreaker, OpensAndCloses) {
  auto const plays = [&](int percent, duration window, int volume, duration open_for, int probes, char const* script) {
    rate_breaker const chosen{percent, window, volume, open_for, probes};
    play(chosen, script);
    play(striped<std::remove_const_t<decltype(chosen)>>{percent, window, volume, open_for, probes}, script);
  };
  plays(50, 10s, 20, 30s, 1, "s*15 f*14 closed f open @30000- ?no foresees @30000 hopes ?yes");
  plays(50, 10s, 20, 30s, 1, "f*19 closed f open");
  plays(50, 10s, 20, 30s, 1, "s*10 f*9 closed f open");
  plays(50, 10s, 20, 30s, 1, "f*19 s closed f open");  // upon a failure, and not upon a success
  plays(100, 10s, 5, 30s, 1, "s f*1000 closed @20000 f*5 open");
  plays(1, 10s, 100, 30s, 1, "s*99 f open");
  plays(1, 10s, 100, 30s, 1, "s*100 f closed");
  plays(50, 10s, 4, 30s, 1, "c*100 f*3 closed f open");
  // By hand: the counts are forgotten, and what began before counts no longer.
  plays(50, 10s, 4, 30s, 1, "f*3 o= isolate ?no f:o @3000000000 ?no close f:o f*3 closed f open close ?yes");
  // 1000 s is the beginning of an eighth of 10 s: the window is the one of now and the seven before.
  plays(50, 10s, 4, 30s, 1, "f*3 @10000 f closed");
  plays(50, 10s, 4, 30s, 1, "f*3 @10000- f open");
  plays(50, 8s, 8, 30s, 1, "f @1000 f @2000 f @3000 f @4000 f @5000 f @6000 f closed @7000 f open");
  plays(50, 250ms, 2, 30s, 1, "f @250 f closed f open");
  // Late by a window: another thread read the time long before. The three are not swept away.
  plays(50, 8s, 4, 30s, 1, "o= @8000 f*3 @0 f:o @9000 f open");
  // A failure on a thread whose clock is behind sees what others counted meanwhile.
  plays(50, 8s, 3, 30s, 1, "@3000 f*2 @0 f open");
  // Probes decide, and the window begins anew: the old failures would still be in it.
  plays(50, 3600s, 4, 1s, 2, "f*4 open @1000 a= b= ?no s:a half_open s:b closed f*3 closed f open");
  plays(25, 10s, 4, 5s, 2, "s*3 f open @5000 s half_open s closed");
  plays(50, 10s, 2, 1s, 1, "f*2 @1000 r c half_open f open @2000- ?no @2000 s closed");
  // What began before a change is ignored.
  plays(50, 3600s, 2, 1s, 1, "o= f*2 s:o @900 f:o @1000 p= f:o s:o half_open s:p f:o*10 f closed f:0 closed");
  // However many ends an eighth has: it opens at its rate, neither late nor early.
  plays(40, 3600s, 32'767, 30s, 1, "s*500000 f*15000 closed");
  plays(50, 8s, 20, 30s, 1,
        "s*20000 @1000 s*20000 @2000 s*20000 @3000 s*20000 @4000 s*20000 @5000 s*20000 @6000 s*20000 @7000 f*139999 "
        "closed f open");
  plays(1, 8s, 20, 30s, 1, "s*198000 f*1999 closed f open");
  // Before the epoch: its eighths are as long, and nothing is later.
  plays(50, 8s, 4, 30s, 1, "@-1000000- f*2 @-1000000 f closed @-1000000+ f open");
  plays(50, 8s, 4, 30s, 1, "@-1007000- f*3 @-1000000 f closed");
  plays(50, 250ms, 2, 30s, 1, "@-1000250 f*2 open");
  plays(50, 250ms, 2, 30s, 1, "@-1025000 f*2 open");
  plays(50, 250ms, 2, 30s, 1, "@-1031750 f*2 open");
  play(rate_breaker<50, 10s, 20, 30s, 2>{}, "s*15 f*14 closed f open @30000- ?no @30000 s half_open s closed");
}

// Where a count is full all counts of the window are halved: what ended before weighs half, in every eighth alike.
TEST(RateBreaker, FullCountsKeepTheRateOfTheWindow) {
  detail::failure_window<8> const window;  // 255 ends of a kind in an eighth
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
  static_assert(!std::is_copy_constructible_v<rate_breaker<>> && sizeof(rate_breaker<>) == 136);
}

static_assert(Gate<striped<rate_breaker<>>> && sizeof(striped<rate_breaker<>>) == 704);

TEST(StripedRateBreaker, SumsTheSuccessesOfThreadsThatEnded) {
  striped<rate_breaker<50, 10s, 20, 30s>> const breaker;
  for (int i = 0; i != 15; ++i) on_a_thread([&] { succeed(breaker, start); });
  fail(breaker, start, 14);
  EXPECT_EQ(breaker.policy().state(), breaker_state::closed);  // 14 of 29
  on_a_thread([&] { fail(breaker, start); });
  EXPECT_EQ(breaker.policy().state(), breaker_state::open);  // 15 of 30
  EXPECT_FALSE(breaker.try_enter(start + 30s - 1ns).pass.has_value());
}

TEST(StripedRateBreaker, GoesOnWithWhatThePlainBreakerCounted) {
  rate_breaker<50, 10s, 20, 30s> plain;
  succeed(plain, start, 15);
  striped breaker{std::move(plain)};
  on_a_thread([&] { succeed(breaker, start, 5); });
  fail(breaker, start, 10);
  striped<rate_breaker<50, 10s, 20, 30s>> const moved{std::move(breaker)};
  fail(moved, start, 9);
  EXPECT_EQ(moved.policy().state(), breaker_state::closed);  // 19 of 39
  fail(moved, start);
  EXPECT_EQ(moved.policy().state(), breaker_state::open);
}

// However the threads meet: a failure that is counted brings with it all that its thread had counted before.
TEST(StripedRateBreaker, ThreadsNeverOpenItBelowItsRate) {
  for (int round = 0; round != 20; ++round) {
    striped<rate_breaker<50, 60s, 100, 1h>> const breaker;
    support::together(4, [&](unsigned index) {
      for (unsigned i = 0; i != 2'000; ++i) {
        auto const pass = enter(breaker, start);
        // Each thread has more successes than failures at any time, and so have all of them together.
        if (i % 5 >= 3) {
          breaker.on_failure(pass, broke, start);
        } else {
          breaker.on_success(pass, start + duration{index});
        }
      }
    });
    EXPECT_EQ(breaker.policy().state(), breaker_state::closed);
    // 4,800 successes and 3,200 failures: 1,600 failures more, and not one fewer, are half.
    fail(breaker, start, 1'599);
    EXPECT_EQ(breaker.policy().state(), breaker_state::closed) << "a success is missing";
    fail(breaker, start);
    EXPECT_EQ(breaker.policy().state(), breaker_state::open) << "a failure is missing";
  }
}

// At the latest with the failure that makes the rate, which any thread may bring.
TEST(StripedRateBreaker, ThreadsOpenItAtItsRate) {
  for (int round = 0; round != 50; ++round) {
    striped<rate_breaker<50, 60s, 100, 1h>> const breaker;
    on_a_thread([&] { succeed(breaker, start, 400); });
    std::vector<typename striped<rate_breaker<>>::pass_type> passes;
    for (int i = 0; i != 400; ++i) passes.push_back(enter(breaker, start));
    support::together(4, [&](unsigned index) {
      for (unsigned i = 0; i != 100; ++i) breaker.on_failure(passes[index * 100 + i], broke, start);
    });
    EXPECT_EQ(breaker.policy().state(), breaker_state::open);
  }
}

}  // namespace
}  // namespace gate_rate_breaker_test
