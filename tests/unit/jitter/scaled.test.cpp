// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <ratio>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/compose/strategy.hpp"
#include "anew/jitter/scaled.hpp"
#include "anew/testing/scripted_random.hpp"

#include "rejection.hpp"

namespace jitter_scaled_test {
namespace {

using namespace std::chrono_literals;
using anew::rational;
using anew::testing::highest_word;
using anew::testing::lowest_word;
using anew::testing::middle_word;
using anew::testing::scripted_random;

using azure = anew::scaled_jitter<rational{4, 5}, rational{13, 10}>;

template <class Jitter>
anew::duration draw(Jitter const& jitter, anew::duration ceiling, anew::duration cap, std::uint64_t word) {
  scripted_random const random{word};
  typename Jitter::state_type state{};
  return jitter.apply(anew::delay_bounds{1ms, ceiling, cap}, state, random);
}

TEST(ScaledJitter, DrawsBetweenTheTwoFactors) {
  EXPECT_EQ(draw(azure{}, 800ms, 60s, lowest_word), 640ms);
  EXPECT_EQ(draw(azure{}, 800ms, 60s, middle_word), 840ms);
  EXPECT_EQ(draw(azure{}, 800ms, 60s, highest_word), 1040ms);
}

TEST(ScaledJitter, KeepsItsWidthAtTheCap) {
  EXPECT_EQ(draw(azure{}, 60s, 60s, lowest_word), 30s);
  EXPECT_EQ(draw(azure{}, 60s, 60s, highest_word), 60s);
  EXPECT_EQ(draw(azure{}, 51200ms, 60s, lowest_word), 34400ms);  // 66.56 s would be the highest
  EXPECT_EQ(draw(azure{}, 51200ms, 60s, highest_word), 60s);
}

TEST(ScaledJitter, NeverBelowZeroNorAboveTheCap) {
  using wide = anew::scaled_jitter<rational{0}, rational{5}>;
  EXPECT_EQ(draw(wide{}, 1s, 2s, lowest_word), 0s);
  EXPECT_EQ(draw(wide{}, 1s, 2s, highest_word), 2s);
  EXPECT_EQ(draw(wide{}, anew::duration::max(), anew::duration::max(), highest_word), anew::duration::max());
  EXPECT_EQ(draw(wide{}, anew::duration::max(), anew::duration::max(), lowest_word), 0s);
  EXPECT_EQ(draw(azure{}, 0s, 2s, highest_word), 0s);
  EXPECT_EQ(draw(azure{}, 5s, 2s, highest_word), 2s);
}

TEST(ScaledJitter, BelowOneItIsALessJitter) {
  using lower_half = anew::scaled_jitter<rational{1, 4}, rational{1, 2}>;
  EXPECT_EQ(draw(lower_half{}, 8s, 8s, lowest_word), 2s);
  EXPECT_EQ(draw(lower_half{}, 8s, 8s, highest_word), 4s);
}

TEST(ScaledJitter, RunTimeValuesDrawTheSame) {
  anew::scaled_jitter const jitter{rational{4, 5}, rational{13, 10}};
  EXPECT_EQ(draw(jitter, 800ms, 60s, lowest_word), 640ms);
  EXPECT_EQ(draw(jitter, 800ms, 60s, highest_word), 1040ms);
  EXPECT_EQ(jitter.describe(), "scaled_jitter(4/5,13/10)");
  EXPECT_EQ((anew::scaled_jitter<rational{0}, rational{2}>{}.describe()), "scaled_jitter(0,2)");
}

TEST(ScaledJitter, RefusesWhatIsNoWindow) {
  EXPECT_REJECTED((anew::scaled_jitter{rational{13, 10}, rational{4, 5}}),
                  "anew::scaled_jitter: high must not be below low, but is 13/10 and 4/5");
  EXPECT_REJECTED((anew::scaled_jitter{rational{1, 0}, rational{4, 5}}),
                  "anew::scaled_jitter: denominators must be above zero, but is 1/0 and 4/5");
  EXPECT_REJECTED((anew::scaled_jitter{rational{1, 2}, rational{4, 0}}),
                  "anew::scaled_jitter: denominators must be above zero, but is 1/2 and 4/0");
  EXPECT_EQ((anew::scaled_jitter{rational{1, 2}, rational{2, 4}}.describe()), "scaled_jitter(1/2,1/2)");
}

static_assert(anew::Jitter<azure>);
static_assert(std::is_empty_v<azure>);
static_assert(std::is_empty_v<anew::strategy<anew::scaled_jitter<rational{1}, rational{1}>>>);
static_assert(sizeof(anew::strategy<anew::scaled_jitter<rational{1}, rational{1}>>) == 1);
static_assert(azure::is_sound);
static_assert(anew::scaled_jitter<rational{1}, rational{1}>::is_sound);
static_assert(!anew::scaled_jitter<rational{2}, rational{19, 10}>::is_sound);
static_assert(!anew::scaled_jitter<rational{2}, anew::at_run_time<rational>>::is_sound);

}  // namespace
}  // namespace jitter_scaled_test
