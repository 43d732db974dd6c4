// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/pacer/internal/waiting_line.hpp"

namespace pacer_waiting_line_test {
namespace {

using namespace std::chrono_literals;
using anew::detail::queue_place;
using anew::detail::waiting_line;
using anew::time_point;

constexpr time_point start{1000s};

queue_place joined(waiting_line& line, time_point now = start) {
  queue_place place;
  line.join(place, now);
  return place;
}

TEST(WaitingLine, CountsThoseBefore) {
  waiting_line line;
  EXPECT_EQ(line.size(), 0U);
  EXPECT_EQ(line.ahead_of(queue_place{}), 0U);
  auto const first = joined(line);
  auto const second = joined(line, start + 1s);
  EXPECT_EQ(line.size(), 2U);
  EXPECT_EQ(line.ahead_of(first), 0U);
  EXPECT_EQ(line.ahead_of(second), 1U);
  EXPECT_EQ(line.ahead_of(queue_place{}), 2U);
  EXPECT_EQ(second.since, start + 1s);
}

TEST(WaitingLine, ThoseBehindMoveUp) {
  waiting_line line;
  auto first = joined(line);
  auto const second = joined(line);
  line.leave(first);
  EXPECT_EQ(first, queue_place{});
  EXPECT_EQ(line.size(), 1U);
  EXPECT_EQ(line.ahead_of(second), 0U);
}

TEST(WaitingLine, WhoLeavesFromTheBackMovesNobody) {
  waiting_line line;
  auto const first = joined(line);
  auto const second = joined(line);
  auto third = joined(line);
  line.leave(third);
  EXPECT_EQ(line.size(), 2U);
  EXPECT_EQ(line.ahead_of(first), 0U);
  EXPECT_EQ(line.ahead_of(second), 1U);
}

TEST(WaitingLine, WhoWasToldThatItIsNextStandsBeforeTheOthers) {
  waiting_line line;
  auto first = joined(line);
  auto const second = joined(line);
  line.wait_on(first);
  EXPECT_TRUE(first.is_overdue);
  EXPECT_EQ(line.ahead_of(second), 1U);
  line.come_back(first);
  EXPECT_FALSE(first.is_overdue);
  line.leave(first);
  EXPECT_EQ(line.ahead_of(second), 0U);
}

// --- in a forked child

TEST(WaitingLine, BeginsAnewInAnotherGeneration) {
  waiting_line line;
  EXPECT_FALSE(line.renew(0));
  static_cast<void>(joined(line));
  EXPECT_FALSE(line.renew(0));
  EXPECT_EQ(line.size(), 1U);
  EXPECT_TRUE(line.renew(1));
  EXPECT_EQ(line.size(), 0U);
  EXPECT_FALSE(line.renew(1));
  EXPECT_TRUE(line.holds(joined(line)));
}

TEST(WaitingLine, APlaceOfAnotherGenerationIsNone) {
  waiting_line line;
  std::vector<queue_place> old;
  for (int i = 0; i < 5; ++i) {
    old.push_back(joined(line));
    line.wait_on(old.back());
  }
  line.renew(7);
  auto const own = joined(line);
  for (auto place : old) {
    EXPECT_FALSE(line.holds(place));
    EXPECT_EQ(line.ahead_of(place), 1U);  // as one that is not taken yet
    line.leave(place);
    EXPECT_EQ(place, queue_place{});
  }
  EXPECT_EQ(line.size(), 1U);
  EXPECT_EQ(line.ahead_of(own), 0U);
  auto returning = old.front();
  EXPECT_TRUE(returning.is_overdue);
  line.come_back(returning);
  EXPECT_EQ(returning, queue_place{});
  EXPECT_EQ(line.ahead_of(own), 0U);
}

// Places that leave, come back and go to sleep, some of them of a generation that is gone: no number goes below zero.
TEST(WaitingLine, NothingUnderflows) {
  anew::generator dice{1, 51};
  waiting_line line;
  std::uint32_t generation = 0;
  std::vector<queue_place> own;
  std::vector<queue_place> old;
  for (int i = 0; i < 200'000; ++i) {
    auto const roll = dice();
    auto& places = roll % 4 == 0 && !old.empty() ? old : own;
    if (roll % 1'000 == 1) {
      line.renew(++generation);
      old.insert(old.end(), own.begin(), own.end());
      if (old.size() > 50) old.resize(50);
      own.clear();
    } else if (places.empty() || (roll >> 8U) % 3 == 0) {
      if (own.size() < 40) own.push_back(joined(line));
    } else {
      auto& chosen = places[(roll >> 16U) % places.size()];
      bool const is_own = line.holds(chosen);
      ASSERT_EQ(is_own, &places == &own);
      line.come_back(chosen);
      if (is_own && (roll >> 12U) % 2 == 0) {
        line.wait_on(chosen);
      } else {
        line.leave(chosen);
        chosen = places.back();
        places.pop_back();
      }
    }
    ASSERT_EQ(line.size(), own.size());
    ASSERT_LE(line.ahead_of(queue_place{}), own.size());
    for (auto const& place : own) {
      ASSERT_LT(line.ahead_of(place), own.size() + (place.is_overdue ? 1U : 0U));
    }
  }
  EXPECT_GT(generation, 50U);
}

}  // namespace
}  // namespace pacer_waiting_line_test
