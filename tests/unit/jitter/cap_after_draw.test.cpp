// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <vector>

#include <gtest/gtest.h>

#include "anew/jitter/cap_after_draw.hpp"
#include "anew/testing/scripted_random.hpp"
#include "anew/testing/seeded_random.hpp"
#include "anew/testing/statistics.hpp"

namespace jitter_cap_after_draw_test {
namespace {

using namespace std::chrono_literals;
using anew::cap_after_draw_jitter;
using anew::delay_bounds;
using anew::duration;

constexpr delay_bounds within(duration first, duration cap) { return {.first = first, .ceiling = first, .cap = cap}; }

/// The delay before retry `n` of a call whose random numbers are all `word`.
template <class Random>
duration nth_delay(delay_bounds const& bounds, int n, Random const& random) {
  cap_after_draw_jitter::state_type state{};
  for (int i = 1; i < n; ++i) static_cast<void>(cap_after_draw_jitter::apply(bounds, state, random));
  return cap_after_draw_jitter::apply(bounds, state, random);
}

TEST(CapAfterDrawJitter, DrawsFromAnIntervalThatDoublesAndCapsThen) {
  constexpr auto bounds = within(1s, 20s);
  cap_after_draw_jitter::state_type state{};
  anew::testing::scripted_random const middle{anew::testing::middle_word};
  for (duration const delay : {500ms, 1000ms, 2000ms, 4000ms, 8000ms, 16000ms, 20000ms, 20000ms}) {
    EXPECT_EQ(cap_after_draw_jitter::apply(bounds, state, middle), delay);
  }
  EXPECT_EQ(middle.calls(), 8U);
  EXPECT_EQ(nth_delay(bounds, 5, anew::testing::scripted_random{anew::testing::highest_word}), 16s - 1ns);
  EXPECT_EQ(nth_delay(bounds, 6, anew::testing::scripted_random{anew::testing::highest_word}), 20s);
  EXPECT_EQ(nth_delay(bounds, 6, anew::testing::scripted_random{anew::testing::lowest_word}), 0s);
  EXPECT_EQ(cap_after_draw_jitter::describe(), "cap_after_draw_jitter");
}

TEST(CapAfterDrawJitter, TheFactorOfTheBackoffHasNoEffect) {
  cap_after_draw_jitter::state_type state{.doubled = 3};
  anew::testing::scripted_random const middle{anew::testing::middle_word};
  EXPECT_EQ(cap_after_draw_jitter::apply({.first = 1s, .ceiling = 7s, .cap = 20s}, state, middle), 4s);
}

// first * 2^(n-1) * word / 2^64, exactly, wherever it is below the cap.
TEST(CapAfterDrawJitter, DoublesPastTheEndOfEveryInteger) {
  anew::testing::scripted_random const one{1};
  constexpr auto bounds = within(1ns, duration::max());
  EXPECT_EQ(nth_delay(bounds, 64, one), 0ns);
  EXPECT_EQ(nth_delay(bounds, 65, one), 1ns);  // 2^64 / 2^64
  EXPECT_EQ(nth_delay(bounds, 66, one), 2ns);
  EXPECT_EQ(nth_delay(bounds, 127, one), duration{std::int64_t{1} << 62U});
  EXPECT_EQ(nth_delay(bounds, 128, one), duration::max());
  EXPECT_EQ(nth_delay(bounds, 1000, one), duration::max());
  EXPECT_EQ(nth_delay(within(1ns, 100ns), 71, one), 64ns);
  EXPECT_EQ(nth_delay(within(1ns, 100ns), 72, one), 100ns);
  EXPECT_EQ(nth_delay(within(1ns, 100ns), 1000, anew::testing::scripted_random{anew::testing::lowest_word}), 0ns);
  anew::testing::scripted_random const highest{anew::testing::highest_word};
  EXPECT_EQ(nth_delay(within(duration::max(), duration::max()), 1, highest), duration::max() - 1ns);
  for (int n : {2, 3, 63, 64, 65, 66, 67, 128, 129, 500}) {
    EXPECT_EQ(nth_delay(within(duration::max(), duration::max()), n, highest), duration::max()) << n;
  }
}

TEST(CapAfterDrawJitter, OfNothingIsNothing) {
  anew::testing::scripted_random const random{anew::testing::highest_word};
  EXPECT_EQ(nth_delay(within(0ns, 20s), 9, random), 0ns);
  EXPECT_EQ(nth_delay(within(0ns, 0ns), 9, random), 0ns);
  EXPECT_EQ(random.calls(), 0U);
}

struct published_row {
  int retry;
  double mean, variance, at_the_cap;
};

// Closed form of min(U(0, 1) * 2^i, 20) s, i = retry - 1: the atom at the cap is 1 - 20 / 2^i, the rest is uniform.
TEST(CapAfterDrawJitter, HasThePublishedDistributionAndItsAtom) {
  constexpr int count = 20'000;
  for (auto const& row : {published_row{1, 0.5, 0.0833333, 0}, published_row{4, 4, 5.33333, 0},
                          published_row{6, 13.75, 44.2708, 0.375}, published_row{8, 18.4375, 18.3919, 0.84375}}) {
    anew::testing::seeded_random const random{static_cast<std::uint64_t>(row.retry)};
    std::vector<double> sample;
    for (int i = 0; i < count; ++i) {
      sample.push_back(static_cast<double>(nth_delay(within(1s, 20s), row.retry, random).count()) * 1e-9);
    }
    EXPECT_NEAR(anew::testing::mean(sample), row.mean, 4 * std::sqrt(row.variance / count)) << row.retry;
    EXPECT_NEAR(anew::testing::variance(sample) / row.variance, 1.0, 0.05) << row.retry;
    std::vector<double> below;
    std::copy_if(sample.begin(), sample.end(), std::back_inserter(below), [](double x) { return x < 20; });
    double const at_the_cap = 1 - static_cast<double>(below.size()) / count;
    EXPECT_NEAR(at_the_cap, row.at_the_cap, 4 * std::sqrt(row.at_the_cap * (1 - row.at_the_cap) / count)) << row.retry;
    double const longest = std::min(20.0, std::pow(2.0, row.retry - 1));
    EXPECT_LT(anew::testing::ks_distance(below, anew::testing::uniform_cdf(0, longest)),
              anew::testing::ks_critical(below.size()))
        << row.retry;
  }
}

}  // namespace
}  // namespace jitter_cap_after_draw_test
