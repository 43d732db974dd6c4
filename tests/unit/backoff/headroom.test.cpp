// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <ratio>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/backoff/constant.hpp"
#include "anew/backoff/exponential.hpp"
#include "anew/backoff/headroom.hpp"
#include "anew/compose/strategy.hpp"
#include "anew/jitter/no_jitter.hpp"
#include "anew/jitter/proportional.hpp"
#include "anew/testing/scripted_random.hpp"

#include "rejection.hpp"

namespace backoff_headroom_test {
namespace {

using namespace std::chrono_literals;
using anew::rational;

using inner = anew::exponential_backoff<100ms, 1s>;
using outer = anew::headroom_backoff<inner, rational{1, 5}>;

TEST(HeadroomBackoff, WaitsAsTheInnerOneUnderAHigherCap) {
  for (std::uint32_t retry = 1; retry != 10; ++retry) EXPECT_EQ(outer{}.delay(retry), inner{}.delay(retry));
  EXPECT_EQ(outer{}.cap(), 1200ms);
  EXPECT_EQ((anew::headroom_backoff<inner, rational{0}>{}.cap()), 1s);
  EXPECT_EQ((anew::headroom_backoff<inner, rational{1}>{}.cap()), 2s);
  EXPECT_EQ(outer{}.describe(), "headroom(exponential(100ms,1s),1/5)");
}

TEST(HeadroomBackoff, RunTimeValues) {
  anew::headroom_backoff const backoff{anew::exponential_backoff{100ms, 1s}, rational{1, 4}};
  EXPECT_EQ(backoff.delay(2), 200ms);
  EXPECT_EQ(backoff.cap(), 1250ms);
  EXPECT_EQ(backoff.describe(), "headroom(exponential(100ms,1s),1/4)");
  EXPECT_EQ((anew::headroom_backoff{anew::constant_backoff{1s}, rational{1}}.describe()), "headroom(constant(1s),1)");
  EXPECT_REJECTED((anew::headroom_backoff{inner{}, rational{5, 4}}),
                  "anew::headroom_backoff: fraction must be between 0 and 1, but is 5/4");
  EXPECT_REJECTED((anew::headroom_backoff{inner{}, rational{0, 0}}),
                  "anew::headroom_backoff: fraction must be between 0 and 1, but is 0/0");
}

TEST(HeadroomBackoff, CapSaturates) {
  anew::headroom_backoff const backoff{anew::exponential_backoff{1s, anew::duration::max()}, rational{1, 1}};
  EXPECT_EQ(backoff.cap(), anew::duration::max());
}

TEST(HeadroomBackoff, LetsAJitterGoAboveTheInnerCap) {
  using words = anew::testing::scripted_random;
  using random_strategy =
      anew::strategy<outer, anew::proportional_jitter<rational{1, 5}>, words, anew::max_attempts<9>>;
  random_strategy const highest{words{anew::testing::highest_word}};
  random_strategy const lowest{words{anew::testing::lowest_word}};
  auto high = highest.acquire_initial_token();
  auto low = lowest.acquire_initial_token();
  for (int retry = 1; retry != 6; ++retry) {
    high = *highest.refresh_retry_token(std::move(high), anew::failure{});
    low = *lowest.refresh_retry_token(std::move(low), anew::failure{});
  }
  EXPECT_EQ(high.delay(), 1200ms);
  EXPECT_EQ(low.delay(), 800ms);
}

static_assert(anew::Backoff<outer>);
static_assert(std::is_empty_v<outer>);
static_assert(sizeof(anew::strategy<outer, anew::proportional_jitter<rational{1, 5}>>) == 1);
static_assert(outer::is_sound);
static_assert(!anew::headroom_backoff<inner, rational{6, 5}>::is_sound);
static_assert(!anew::headroom_backoff<anew::no_jitter, rational{1, 5}>::is_sound);

}  // namespace
}  // namespace backoff_headroom_test
