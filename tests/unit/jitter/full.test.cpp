// SPDX-License-Identifier: BSL-1.0
#include <chrono>

#include <gtest/gtest.h>

#include "anew/jitter/full.hpp"
#include "anew/testing/scripted_random.hpp"

namespace jitter_full_test {
namespace {

using namespace std::chrono_literals;
using anew::duration;
using anew::full_jitter;

TEST(FullJitter, GoesFromNothingToTheWholeDelay) {
  for (duration const ceiling : {duration{1}, duration{50ms}, duration{20s}, duration::max()}) {
    anew::testing::scripted_random random{anew::testing::lowest_word, anew::testing::highest_word};
    EXPECT_EQ(full_jitter::apply(ceiling, random), 0ns);
    EXPECT_EQ(full_jitter::apply(ceiling, random), ceiling);
    EXPECT_EQ(random.calls(), 2U);
  }
}

TEST(FullJitter, IsTheWordsShareOfTheDelay) {
  anew::testing::scripted_random random{anew::testing::middle_word, anew::testing::middle_word / 2};
  EXPECT_EQ(full_jitter::apply(20s, random), 10s);
  EXPECT_EQ(full_jitter::apply(20s, random), 5s);
  EXPECT_EQ(full_jitter::describe(), "full_jitter");
}

TEST(FullJitter, OfNothingIsNothing) {
  anew::testing::scripted_random random{anew::testing::highest_word};
  EXPECT_EQ(full_jitter::apply(0ns, random), 0ns);
  EXPECT_EQ(random.calls(), 0U);
}

}  // namespace
}  // namespace jitter_full_test
