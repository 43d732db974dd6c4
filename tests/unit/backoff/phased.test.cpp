// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/backoff/constant.hpp"
#include "anew/backoff/exponential.hpp"
#include "anew/backoff/no_backoff.hpp"
#include "anew/backoff/phased.hpp"

#include "rejection.hpp"

namespace backoff_phased_test {
namespace {

using namespace std::chrono_literals;
using anew::constant_backoff;
using anew::duration;
using anew::exponential_backoff;
using anew::for_first;
using anew::no_backoff;
using anew::phased_backoff;

using quick = constant_backoff<10ms>;
static_assert(sizeof(phased_backoff<for_first<3, quick>, for_first<3, quick>, quick>) == 1);
static_assert(sizeof(phased_backoff<for_first<3, quick>, phased_backoff<for_first<3, quick>, quick>>) == 1);
static_assert(sizeof(phased_backoff{for_first{3, quick{}}, constant_backoff{1s}}) <= 16);
static_assert(!anew::Backoff<for_first<3, quick>>);
static_assert(!std::is_default_constructible_v<decltype(phased_backoff{for_first{3, quick{}}, quick{}})>);

// What cannot be a list of phases, beside what can.
static_assert(phased_backoff<quick>::is_sound && phased_backoff<for_first<1, quick>, quick>::is_sound);
static_assert(!phased_backoff<>::is_sound && !phased_backoff<for_first<1, quick>>::is_sound);
static_assert(!phased_backoff<quick, quick>::is_sound && !phased_backoff<quick, for_first<1, quick>>::is_sound);
static_assert(!phased_backoff<for_first<1, quick>, quick, quick>::is_sound);
static_assert(!phased_backoff<for_first<0, quick>, quick>::is_sound);
static_assert(phased_backoff<for_first<4294967295, quick>, quick>::is_sound);
static_assert(!phased_backoff<for_first<4294967296, quick>, quick>::is_sound);
static_assert(!phased_backoff<for_first<1, int>, quick>::is_sound &&
              !phased_backoff<for_first<1, quick>, int>::is_sound);
static_assert(!phased_backoff<for_first<1, constant_backoff<-1s>>, quick>::is_sound);

TEST(PhasedBackoff, EachPhaseCountsFromOne) {
  phased_backoff<for_first<3, quick>, exponential_backoff<100ms, 20s>> const b;
  for (std::uint32_t retry : {0U, 1U, 2U, 3U}) EXPECT_EQ(b.delay(retry), 10ms);
  EXPECT_EQ(b.delay(4), 100ms);
  EXPECT_EQ(b.delay(5), 200ms);
  EXPECT_EQ(b.delay(~0U), 20s);
  EXPECT_EQ(b.cap(), 20s);
  EXPECT_EQ(b.describe(), "phased(for_first(3,constant(10ms)),exponential(100ms,20s))");
}

TEST(PhasedBackoff, AnyNumberOfPhases) {
  phased_backoff<for_first<1, no_backoff>, for_first<2, exponential_backoff<1s, 9s>>, for_first<3, quick>,
                 exponential_backoff<5s, 6s>> const b;
  std::uint32_t retry = 0;
  for (duration const delay : {0ms, 1000ms, 2000ms, 10ms, 10ms, 10ms, 5000ms, 6000ms, 6000ms}) {
    EXPECT_EQ(b.delay(++retry), delay) << retry;
  }
  EXPECT_EQ(b.cap(), 9s);  // of all phases, though this one is never asked for so much
  EXPECT_EQ(b.describe(),
            "phased(for_first(1,no_backoff),for_first(2,exponential(1s,9s)),for_first(3,constant(10ms)),"
            "exponential(5s,6s))");
  phased_backoff<exponential_backoff<5s, 6s>> const alone;
  EXPECT_EQ(alone.delay(1), 5s);
  EXPECT_EQ(alone.cap(), 6s);
}

TEST(PhasedBackoff, OfPoliciesWithValues) {
  phased_backoff const b{for_first{3, constant_backoff{10ms}}, for_first{2U, quick{}}, exponential_backoff{1s, 20s}};
  EXPECT_EQ(b.delay(5), 10ms);
  EXPECT_EQ(b.delay(6), 1s);
  EXPECT_EQ(b.delay(7), 2s);
  EXPECT_EQ(b.cap(), 20s);
  EXPECT_EQ(b.describe(), "phased(for_first(3,constant(10ms)),for_first(2,constant(10ms)),exponential(1s,20s))");
  phased_backoff const mixed{for_first<2, decltype(constant_backoff{1s})>{constant_backoff{1s}}, quick{}};
  EXPECT_EQ(mixed.delay(2), 1s);
  EXPECT_EQ(mixed.delay(3), 10ms);
  static_assert(phased_backoff{for_first{3, constant_backoff{10ms}}, constant_backoff{1s}}.delay(4) == 1s);
}

TEST(PhasedBackoff, TheLongestPhase) {
  phased_backoff<for_first<4294967295, quick>, constant_backoff<1s>> const b;
  EXPECT_EQ(b.delay(~0U), 10ms);
  phased_backoff<for_first<4294967294, quick>, constant_backoff<1s>> const shorter;
  EXPECT_EQ(shorter.delay(~0U - 1), 10ms);
  EXPECT_EQ(shorter.delay(~0U), 1s);
}

TEST(PhasedBackoff, RefusesAPhaseThatNeverComes) {
  EXPECT_REJECTED((for_first{0, quick{}}), "anew::for_first: retries must be between 1 and 4294967295, but is 0");
  EXPECT_REJECTED((for_first{-1, quick{}}), "anew::for_first: retries must be between 1 and 4294967295, but is -1");
  EXPECT_REJECTED((for_first{std::int64_t{4294967296}, quick{}}),
                  "anew::for_first: retries must be between 1 and 4294967295, but is 4294967296");
  EXPECT_EQ((for_first{~0U, quick{}}.retries()), ~0U);
  EXPECT_EQ((for_first{1, quick{}}.retries()), 1U);
}

}  // namespace
}  // namespace backoff_phased_test
