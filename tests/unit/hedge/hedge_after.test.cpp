// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/drivers/hedge/hedging.hpp"

#include "names.hpp"
#include "rejection.hpp"

namespace hedge_hedge_after_test {
namespace {

using anew::hedge_after, anew::when_pushed_back;

static_assert(anew::Hedging<hedge_after<10ms>> && anew::Hedging<hedge_after<0ns, 0>> &&
              anew::Hedging<decltype(hedge_after{10ms, 2})>);
static_assert(std::is_empty_v<hedge_after<10ms, 2, when_pushed_back::stop>>);
static_assert(hedge_after<10ms, 7>::most_extra == 7 && hedge_after<10ms>::most_extra == 1);
static_assert(decltype(hedge_after{10ms})::most_extra == 7);

static_assert(hedge_after<0ns>::is_sound && hedge_after<10ms, 0>::is_sound && hedge_after<10ms, 7>::is_sound);
static_assert(!hedge_after<-1ns>::is_sound && !hedge_after<10ms, -1>::is_sound && !hedge_after<10ms, 8>::is_sound);

TEST(HedgeAfter, SaysWhatItWasGiven) {
  hedge_after<10ms, 2> const fixed;
  EXPECT_EQ(fixed.delay(), 10ms);
  EXPECT_EQ(fixed.max_extra(), 2U);
  EXPECT_EQ(fixed.pushback(), when_pushed_back::wait);
  hedge_after const given{20ms, 3, when_pushed_back::stop};
  EXPECT_EQ(given.delay(), 20ms);
  EXPECT_EQ(given.max_extra(), 3U);
  EXPECT_EQ(given.pushback(), when_pushed_back::stop);
  EXPECT_EQ((hedge_after<10ms, 1, when_pushed_back::stop>{}.pushback()), when_pushed_back::stop);
  EXPECT_EQ(hedge_after{20ms}.max_extra(), 1U);
  EXPECT_EQ((hedge_after{20ms, 0}.max_extra()), 0U);
  EXPECT_EQ(anew::hedge_at_once<>{}.delay(), 0ns);
  EXPECT_EQ(anew::hedge_at_once<3>{}.max_extra(), 3U);
}

TEST(HedgeAfter, RefusesWhatIsOutOfRange) {
  EXPECT_REJECTED(hedge_after(-1ns), "anew::hedge_after: delay must not be negative, but is -1ns");
  EXPECT_REJECTED(hedge_after(1ms, 8), "anew::hedge_after: max_extra must be between 0 and 7, but is 8");
  EXPECT_REJECTED(hedge_after(1ms, -1), "anew::hedge_after: max_extra must be between 0 and 7, but is -1");
}

}  // namespace
}  // namespace hedge_hedge_after_test
