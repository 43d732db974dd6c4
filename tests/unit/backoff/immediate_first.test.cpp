// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/backoff/constant.hpp"
#include "anew/backoff/exponential.hpp"
#include "anew/backoff/immediate_first.hpp"

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

}  // namespace
