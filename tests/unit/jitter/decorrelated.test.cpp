// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "anew/jitter/decorrelated.hpp"
#include "anew/testing/scripted_random.hpp"
#include "anew/testing/seeded_random.hpp"
#include "anew/testing/statistics.hpp"

namespace jitter_decorrelated_test {
namespace {

using namespace std::chrono_literals;
using anew::decorrelated_jitter;
using anew::delay_bounds;
using anew::duration;

constexpr delay_bounds within(duration first, duration cap) { return {.first = first, .ceiling = cap, .cap = cap}; }

TEST(DecorrelatedJitter, GoesFromTheFirstDelayToThreeTimesTheOneBefore) {
  constexpr auto bounds = within(100ms, 1h);
  decorrelated_jitter::state_type low{};
  decorrelated_jitter::state_type high{};
  anew::testing::scripted_random lowest{anew::testing::lowest_word};
  anew::testing::scripted_random highest{anew::testing::highest_word};
  duration expected = 100ms;
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(decorrelated_jitter::apply(bounds, low, lowest), 100ms);
    expected *= 3;  // from prev0 = base, so the first delay is U(base, 3 * base)
    EXPECT_EQ(decorrelated_jitter::apply(bounds, high, highest), expected);
    EXPECT_EQ(high.previous, expected);
  }
  EXPECT_EQ(lowest.calls(), 8U);
}

TEST(DecorrelatedJitter, RemembersTheDelayAndNotItsBound) {
  constexpr auto bounds = within(100ms, 1h);
  decorrelated_jitter::state_type state{};
  anew::testing::scripted_random random{anew::testing::middle_word, anew::testing::highest_word,
                                        anew::testing::lowest_word, anew::testing::highest_word};
  EXPECT_EQ(decorrelated_jitter::apply(bounds, state, random), 200ms);
  EXPECT_EQ(decorrelated_jitter::apply(bounds, state, random), 600ms);
  EXPECT_EQ(decorrelated_jitter::apply(bounds, state, random), 100ms);
  EXPECT_EQ(decorrelated_jitter::apply(bounds, state, random), 300ms);
}

TEST(DecorrelatedJitter, TheCapBoundsTheDraw) {
  for (duration const cap : {duration{250ms}, duration{300ms}, duration{301ms}, duration{100ms}}) {
    decorrelated_jitter::state_type state{};
    anew::testing::scripted_random highest{anew::testing::highest_word};
    EXPECT_EQ(decorrelated_jitter::apply(within(100ms, cap), state, highest),
              anew::detail::smaller(cap, duration{300ms}));
    EXPECT_EQ(decorrelated_jitter::apply(within(100ms, cap), state, highest), cap);
    anew::testing::scripted_random middle{anew::testing::middle_word};
    EXPECT_EQ(decorrelated_jitter::apply(within(100ms, cap), state, middle), 100ms + (cap - 100ms + 1ns) / 2);
  }
}

TEST(DecorrelatedJitter, ExtremeBounds) {
  anew::testing::scripted_random highest{anew::testing::highest_word};
  decorrelated_jitter::state_type state{};
  duration last{0};
  for (int i = 0; i < 60; ++i) {
    auto const next = decorrelated_jitter::apply(within(1ns, duration::max()), state, highest);
    ASSERT_GE(next, last);
    last = next;
  }
  EXPECT_EQ(last, duration::max());
  decorrelated_jitter::state_type none{};
  EXPECT_EQ(decorrelated_jitter::apply(within(0ns, 0ns), none, highest), 0ns);
  decorrelated_jitter::state_type odd{};
  EXPECT_EQ(decorrelated_jitter::apply(within(5s, 1s), odd, highest), 1s);
}

TEST(DecorrelatedJitter, TheFactorOfTheBackoffHasNoEffect) {
  decorrelated_jitter::state_type a{};
  decorrelated_jitter::state_type b{};
  anew::testing::scripted_random random{anew::testing::highest_word};
  EXPECT_EQ(decorrelated_jitter::apply({100ms, 100ms, 1h}, a, random),
            decorrelated_jitter::apply({100ms, 50s, 1h}, b, random));
}

/// The n-th delays of `calls` calls, in milliseconds.
std::vector<double> nth_delays(delay_bounds const& bounds, int n, int calls) {
  anew::testing::seeded_random random{static_cast<std::uint64_t>(n)};
  std::vector<double> sample;
  for (int call = 0; call < calls; ++call) {
    decorrelated_jitter::state_type state{};
    for (int i = 1; i < n; ++i) static_cast<void>(decorrelated_jitter::apply(bounds, state, random));
    sample.push_back(static_cast<double>(decorrelated_jitter::apply(bounds, state, random).count()) / 1e6);
  }
  return sample;
}

// Published closed form: without a cap the n-th delay of sleep = U(base, 3 * previous), previous = base at first, has
// mean b * (2 * 1.5^n - 1).
TEST(DecorrelatedJitter, MeansAreThoseOfTheClosedForm) {
  constexpr int calls = 20'000;
  for (int n = 1; n <= 6; ++n) {
    auto const sample = nth_delays(within(5ms, duration::max()), n, calls);
    double const expected = 5 * (2 * std::pow(1.5, n) - 1);
    double const deviation = std::sqrt(anew::testing::variance(sample) / calls);
    EXPECT_NEAR(anew::testing::mean(sample), expected, 4 * deviation) << n;
  }
}

struct published_moments {
  int n;
  double mean;
  double variance;
};

// Published numerical solution for base 50 ms, cap 20 s, where the cap bounds the draw.
TEST(DecorrelatedJitter, MomentsUnderTheCapAreThePublishedOnes) {
  constexpr int calls = 20'000;
  for (auto const& row :
       {published_moments{5, 709.4897, 687363.7294}, published_moments{8, 2154.1918, 10764312.0942},
        published_moments{12, 3815.4540, 23094791.0582}, published_moments{30, 5097.9118, 29454690.4973}}) {
    auto const sample = nth_delays(within(50ms, 20s), row.n, calls);
    EXPECT_NEAR(anew::testing::mean(sample), row.mean, 4 * std::sqrt(row.variance / calls)) << row.n;
    EXPECT_NEAR(anew::testing::variance(sample) / row.variance, 1.0, 0.1) << row.n;
    EXPECT_LT(anew::testing::largest_frequency(sample), 1e-3) << row.n;
  }
}

TEST(DecorrelatedJitter, SaysItsName) { EXPECT_EQ(decorrelated_jitter::describe(), "decorrelated_jitter"); }

}  // namespace
}  // namespace jitter_decorrelated_test
