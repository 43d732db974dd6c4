// SPDX-License-Identifier: BSL-1.0
#include <chrono>

#include <gtest/gtest.h>

#include "anew/jitter/no_jitter.hpp"
#include "anew/testing/scripted_random.hpp"

namespace jitter_no_jitter_test {
namespace {

using namespace std::chrono_literals;
using anew::duration;

TEST(NoJitter, WaitsWhatTheBackoffSaysAndDrawsNothing) {
  anew::testing::scripted_random random;
  for (duration const ceiling : {duration{0}, duration{1}, duration{20s}, duration::max()}) {
    EXPECT_EQ(anew::no_jitter::apply(ceiling, random), ceiling);
  }
  EXPECT_EQ(random.calls(), 0U);
  EXPECT_EQ(anew::no_jitter::describe(), "no_jitter");
}

}  // namespace
}  // namespace jitter_no_jitter_test
