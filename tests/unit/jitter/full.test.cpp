// SPDX-License-Identifier: BSL-1.0
#include <chrono>

#include <gtest/gtest.h>

#include "anew/jitter/full.hpp"

#include "scripted_random.hpp"

namespace {

using namespace std::chrono_literals;
using anew::duration;
using anew::full_jitter;

TEST(FullJitter, GoesFromNothingToTheWholeDelay) {
  for (duration const ceiling : {duration{1}, duration{50ms}, duration{20s}, duration::max()}) {
    support::scripted_random random{support::lowest_word, support::highest_word};
    EXPECT_EQ(full_jitter::apply(ceiling, random), 0ns);
    EXPECT_EQ(full_jitter::apply(ceiling, random), ceiling);
    EXPECT_EQ(random.calls(), 2U);
  }
}

TEST(FullJitter, IsTheWordsShareOfTheDelay) {
  support::scripted_random random{support::middle_word, support::middle_word / 2};
  EXPECT_EQ(full_jitter::apply(20s, random), 10s);
  EXPECT_EQ(full_jitter::apply(20s, random), 5s);
  EXPECT_EQ(full_jitter::describe(), "full_jitter");
}

TEST(FullJitter, OfNothingIsNothing) {
  support::scripted_random random{support::highest_word};
  EXPECT_EQ(full_jitter::apply(0ns, random), 0ns);
  EXPECT_EQ(random.calls(), 0U);
}

}  // namespace
