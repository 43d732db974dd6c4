// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/backoff/immediate_first.hpp"
#include "anew/jitter/cap_after_draw.hpp"
#include "anew/jitter/polly_decorrelated.hpp"
#include "anew/jitter/proportional.hpp"
#include "anew/testing/scripted_random.hpp"

namespace backoff_immediate_first_test {
namespace {

using namespace std::chrono_literals;
using anew::constant_backoff;
using anew::duration;
using anew::exponential_backoff;
using anew::immediate_first;

static_assert(sizeof(immediate_first<exponential_backoff<1s, 1s>>) == 1);
static_assert(sizeof(immediate_first<immediate_first<constant_backoff<1s>>>) == 1);
static_assert(sizeof(immediate_first{constant_backoff{1s}}) == sizeof(duration));
static_assert(!immediate_first<constant_backoff<-1s>>::is_sound && immediate_first<constant_backoff<1s>>::is_sound);

TEST(ImmediateFirst, RetriesOnceAtOnceAndThenAsTheOther) {
  immediate_first<exponential_backoff<50ms, 20s>> const b;
  EXPECT_EQ(b.delay(0), 0ns);
  EXPECT_EQ(b.delay(1), 0ns);
  EXPECT_EQ(b.delay(2), 50ms);
  EXPECT_EQ(b.delay(3), 100ms);
  EXPECT_EQ(b.delay(~0U), 20s);
  EXPECT_EQ(b.cap(), 20s);
  EXPECT_EQ(b.describe(), "immediate_first(exponential(50ms,20s))");
}

TEST(ImmediateFirst, OfAPolicyWithValues) {
  immediate_first const b{exponential_backoff{1s, 8s}};
  EXPECT_EQ(b.delay(1), 0ns);
  EXPECT_EQ(b.delay(3), 2s);
  EXPECT_EQ(b.cap(), 8s);
  EXPECT_EQ(b.describe(), "immediate_first(exponential(1s,8s))");
  static_assert(immediate_first{constant_backoff{1s}}.delay(2) == 1s);
}

// A jitter that grows by itself would stay at zero for ever if it began there.
template <class Jitter>
void begins_with_the_second_retry() {
  anew::testing::scripted_random const random{anew::testing::highest_word};
  auto const s = anew::compose(immediate_first<exponential_backoff<50ms, 20s>>{}, Jitter{}, anew::unbounded{}, random);
  auto next = s.refresh_retry_token(s.acquire_initial_token(), anew::failure{});
  EXPECT_EQ(next->delay(), 0ns);
  EXPECT_EQ(random.calls(), 0U) << "there was nothing to draw";
  next = s.refresh_retry_token(*std::move(next), anew::failure{});
  EXPECT_GE(next->delay(), 50ms - 1ns);
  auto const second = next->delay();
  next = s.refresh_retry_token(*std::move(next), anew::failure{});
  EXPECT_GT(next->delay(), second);
}

TEST(ImmediateFirst, JittersThatGrowByThemselvesBeginAfterIt) {
  begins_with_the_second_retry<anew::decorrelated_jitter>();
  begins_with_the_second_retry<anew::cap_after_draw_jitter>();
  begins_with_the_second_retry<anew::polly_decorrelated_jitter>();
  begins_with_the_second_retry<anew::proportional_jitter<anew::rational{1, 2}>>();
}

}  // namespace
}  // namespace backoff_immediate_first_test
