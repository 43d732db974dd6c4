// SPDX-License-Identifier: BSL-1.0
#include <chrono>

#include <gtest/gtest.h>

#include "anew/jitter/equal.hpp"
#include "anew/testing/scripted_random.hpp"

namespace jitter_equal_test {
namespace {

using namespace std::chrono_literals;
using anew::duration;
using anew::equal_jitter;

TEST(EqualJitter, GoesFromHalfToTheWholeDelay) {
  for (duration const ceiling : {duration{2}, duration{50ms}, duration{20s}}) {
    anew::testing::scripted_random random{anew::testing::lowest_word, anew::testing::highest_word,
                                          anew::testing::middle_word};
    EXPECT_EQ(equal_jitter::apply(ceiling, random), ceiling / 2);
    EXPECT_EQ(equal_jitter::apply(ceiling, random), ceiling);
    EXPECT_EQ(equal_jitter::apply(ceiling, random), ceiling / 2 + (ceiling / 2 + 1ns) / 2);
    EXPECT_EQ(random.calls(), 3U);
  }
  EXPECT_EQ(equal_jitter::describe(), "equal_jitter");
}

TEST(EqualJitter, AnOddDelayIsReachedToo) {
  for (duration const ceiling : {duration{1}, duration{3}, duration::max()}) {
    anew::testing::scripted_random random{anew::testing::lowest_word, anew::testing::highest_word};
    EXPECT_EQ(equal_jitter::apply(ceiling, random), ceiling / 2);
    EXPECT_EQ(equal_jitter::apply(ceiling, random), ceiling);
  }
}

TEST(EqualJitter, OfNothingIsNothing) {
  anew::testing::scripted_random random{anew::testing::highest_word};
  EXPECT_EQ(equal_jitter::apply(0ns, random), 0ns);
}

}  // namespace
}  // namespace jitter_equal_test
