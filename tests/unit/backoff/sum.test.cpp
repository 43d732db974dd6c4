// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/backoff/constant.hpp"
#include "anew/backoff/exponential.hpp"
#include "anew/backoff/no_backoff.hpp"
#include "anew/backoff/sum.hpp"
#include "anew/max_attempts/max_attempts.hpp"

namespace backoff_sum_test {

/// Without a cap, without words, and made at run time only.
struct seconds_backoff {
  using role = anew::roles::backoff;
  explicit seconds_backoff(int each) : each_{each} {}
  [[nodiscard]] anew::duration delay(std::uint32_t retry) const {
    return std::chrono::seconds{each_ * static_cast<int>(retry)};
  }
  int each_;
};

namespace {

using namespace std::chrono_literals;
using anew::constant_backoff;
using anew::duration;
using anew::exponential_backoff;
using anew::sum_backoff;

template <class B>
inline constexpr bool is_one_byte = sizeof(B) == 1 && std::is_empty_v<B>;

// Of equal policies too, however deep.
// Made of nothing only when both are; of backoffs alone.
using at_run_time = decltype(constant_backoff{1s});
static_assert(std::is_default_constructible_v<sum_backoff<constant_backoff<1s>, constant_backoff<1s>>>);
static_assert(!std::is_default_constructible_v<sum_backoff<at_run_time, constant_backoff<1s>>>);
static_assert(!std::is_default_constructible_v<sum_backoff<constant_backoff<1s>, at_run_time>>);
static_assert(!sum_backoff<anew::max_attempts<3>, constant_backoff<1s>>::is_sound);
static_assert(!sum_backoff<constant_backoff<1s>, constant_backoff<-1s>>::is_sound);
static_assert(is_one_byte<sum_backoff<constant_backoff<1s>, constant_backoff<1s>>>);
static_assert(is_one_byte<sum_backoff<sum_backoff<constant_backoff<1s>, constant_backoff<1s>>, constant_backoff<1s>>>);
static_assert(sizeof(sum_backoff{constant_backoff<1s>{}, constant_backoff{1s}}) == sizeof(duration));
static_assert(sizeof(sum_backoff{sum_backoff{constant_backoff<1s>{}, constant_backoff{1s}}, constant_backoff<1s>{}}) ==
              sizeof(duration));
static_assert(!std::is_default_constructible_v<decltype(sum_backoff{constant_backoff{1s}, constant_backoff<1s>{}})>);
template <class B>
concept SaysSomething = requires(B const& b) { b.describe(); };

static_assert(!sum_backoff<exponential_backoff<0s, 1s>, anew::no_backoff>::is_sound &&
              !sum_backoff<anew::no_backoff, exponential_backoff<0s, 1s>>::is_sound &&
              sum_backoff<anew::no_backoff, exponential_backoff<1s, 1s>>::is_sound);

TEST(SumBackoff, WaitsWhatBothSayTogether) {
  sum_backoff<constant_backoff<1s>, exponential_backoff<100ms, 3s>> const b;
  EXPECT_EQ(b.delay(1), 1'100ms);
  EXPECT_EQ(b.delay(2), 1'200ms);
  EXPECT_EQ(b.delay(~0U), 4s);
  EXPECT_EQ(b.cap(), 4s);
  EXPECT_EQ(b.describe(), "sum(constant(1s),exponential(100ms,3s))");
}

TEST(SumBackoff, OfPoliciesWithValues) {
  sum_backoff const b{exponential_backoff{1s, 8s}, constant_backoff{5ms}};
  EXPECT_EQ(b.delay(3), 4'005ms);
  EXPECT_EQ(b.cap(), 8'005ms);
  EXPECT_EQ(b.describe(), "sum(exponential(1s,8s),constant(5ms))");
  static_assert(sum_backoff{exponential_backoff{1s, 8s}, constant_backoff{5ms}}.delay(1) == 1'005ms);
}

TEST(SumBackoff, Saturates) {
  sum_backoff<constant_backoff<duration::max()>, constant_backoff<1ns>> const b;
  EXPECT_EQ(b.delay(1), duration::max());
  EXPECT_EQ(b.cap(), duration::max());
}

TEST(SumBackoff, OfAPolicyWithoutCapAndWordsHasNoneEither) {
  sum_backoff const b{seconds_backoff{2}, constant_backoff<1s>{}};
  EXPECT_EQ(b.delay(3), 7s);
  EXPECT_EQ(b.cap(), duration::max());
  static_assert(!SaysSomething<decltype(b)> && SaysSomething<sum_backoff<anew::no_backoff, anew::no_backoff>>);
}

}  // namespace
}  // namespace backoff_sum_test
