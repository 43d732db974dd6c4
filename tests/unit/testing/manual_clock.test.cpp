// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/testing/manual_clock.hpp"

namespace testing_manual_clock_test {
namespace {

using namespace std::chrono_literals;
using anew::duration;
using anew::testing::manual_clock;

static_assert(anew::Clock<manual_clock>);
static_assert(std::is_nothrow_copy_constructible_v<manual_clock>);

TEST(ManualClock, StandsStillUntilItIsMoved) {
  manual_clock const clock;
  auto const start = clock.now();
  EXPECT_EQ(clock.now(), start);
  clock.advance(3s);
  EXPECT_EQ(clock.now() - start, 3s);
  clock.advance(-5s);
  EXPECT_EQ(clock.now() - start, -2s);
  clock.set(anew::time_point{7s});
  EXPECT_EQ(clock.now(), anew::time_point{7s});
}

TEST(ManualClock, StartsWhereItIsToldTo) {
  EXPECT_EQ(manual_clock{5s}.now(), anew::time_point{5s});
  EXPECT_GT(manual_clock{}.now(), anew::time_point{}) << "time before it can be told from no time";
}

TEST(ManualClock, CopiesAreTheSameClock) {
  manual_clock const mine;
  auto const strategy = anew::compose(mine);
  mine.advance(1s);
  EXPECT_EQ(strategy.now(), mine.peek());
  strategy.clock().advance(1s);
  EXPECT_EQ(strategy.now(), mine.peek());
}

TEST(ManualClock, AMovedFromClockIsStillOne) {
  manual_clock mine{1s};
  auto const other = std::move(mine);  // NOLINT(performance-move-const-arg)
  EXPECT_EQ(other.now(), anew::time_point{1s});
  EXPECT_EQ(mine.now(), anew::time_point{1s});  // NOLINT(bugprone-use-after-move)
}

TEST(ManualClock, CountsItsReaders) {
  manual_clock const clock;
  EXPECT_EQ(clock.reads(), 0U);
  static_cast<void>(clock.now());
  static_cast<void>(manual_clock{clock}.now());
  EXPECT_EQ(clock.reads(), 2U);
  static_cast<void>(clock.peek());
  clock.advance(1s);
  EXPECT_EQ(clock.reads(), 2U);
}

TEST(ManualClock, IsHeldAtTheEndsOfTime) {
  manual_clock const clock;
  clock.advance(duration::max());
  EXPECT_EQ(clock.peek(), anew::time_point::max());
  clock.advance(1ns);
  EXPECT_EQ(clock.peek(), anew::time_point::max());
  clock.set(anew::time_point{-1s});
  clock.advance(duration::min());
  EXPECT_EQ(clock.peek(), anew::time_point::min());
}

TEST(ManualClock, LosesNoTimeAmongThreads) {
  manual_clock const clock{0s};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 1'000; ++n) clock.advance(1ns);
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(clock.peek(), anew::time_point{4'000ns});
}

TEST(ManualClock, Describes) { EXPECT_EQ(manual_clock::describe(), "manual_clock"); }

}  // namespace
}  // namespace testing_manual_clock_test
