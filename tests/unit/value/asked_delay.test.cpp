// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <limits>
#include <optional>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/value/asked_delay.hpp"

namespace value_asked_delay_test {
namespace {

using namespace std::chrono_literals;
using anew::asked_delay;
using anew::duration;

static_assert(sizeof(asked_delay) == sizeof(std::optional<duration>) && std::is_trivially_copyable_v<asked_delay>);
static_assert(!asked_delay{} && !asked_delay{}.forbids() && asked_delay{} == asked_delay{std::nullopt});
static_assert(asked_delay{5s} && *asked_delay{5s} == 5s && asked_delay{5s} -> count() == 5'000'000'000);
static_assert(asked_delay{0s}.has_value() && !asked_delay{0s}.forbids());

TEST(AskedDelay, ReadsLikeAnOptional) {
  asked_delay asked;
  EXPECT_EQ(asked, std::nullopt);
  EXPECT_EQ(asked.value_or(3s), 3s);
  asked = std::optional<duration>{7ms};
  EXPECT_EQ(asked, 7ms);
  EXPECT_EQ(asked.value_or(3s), 7ms);
  std::optional<duration> const out = asked;
  EXPECT_EQ(out, duration{7ms});
  asked = std::optional<std::chrono::seconds>{};
  EXPECT_FALSE(asked.delay());
}

TEST(AskedDelay, ANegativeDelayIsNoDelay) {
  for (duration const negative : {duration{-1}, duration{-5s}, duration::min()}) {
    for (asked_delay const asked : {asked_delay{negative}, asked_delay{std::optional{negative}},
                                    asked_delay::after(negative), asked_delay::do_not_retry()}) {
      EXPECT_TRUE(asked.forbids());
      EXPECT_FALSE(asked);
      EXPECT_EQ(asked, std::nullopt);
      EXPECT_EQ(asked.delay(), std::nullopt);
      EXPECT_EQ(asked.value_or(3s), 3s);
      std::optional<duration> const out = asked;
      EXPECT_FALSE(out);
      EXPECT_EQ(asked, asked_delay::do_not_retry());
      EXPECT_NE(asked, asked_delay{});
    }
  }
}

TEST(AskedDelay, WhatWasNotUnderstoodIsNoDelayAndNotForgotten) {
  asked_delay const asked = asked_delay::not_understood();
  EXPECT_TRUE(asked.is_not_understood());
  EXPECT_FALSE(asked || asked.forbids());
  EXPECT_EQ(asked, std::nullopt);
  EXPECT_NE(asked, asked_delay{});
  EXPECT_NE(asked, asked_delay::do_not_retry());
  EXPECT_FALSE(anew::detail::classifier_mark::in(asked));
  for (asked_delay const other : {asked_delay{}, asked_delay{3s}, asked_delay::do_not_retry(),
                                  asked_delay{duration::min()}, anew::detail::classifier_mark::of(7)}) {
    EXPECT_FALSE(other.is_not_understood());
  }
}

TEST(AskedDelay, WhatDoesNotFitSaturates) {
  EXPECT_EQ(asked_delay{std::chrono::hours::max()}, duration::max());
  EXPECT_TRUE(asked_delay{std::chrono::hours::min()}.forbids());
  EXPECT_EQ(asked_delay{std::chrono::duration<double>{1e300}}, duration::max());
  EXPECT_TRUE(asked_delay{std::chrono::duration<double>{std::numeric_limits<double>::quiet_NaN()}}.forbids());
}

}  // namespace
}  // namespace value_asked_delay_test
