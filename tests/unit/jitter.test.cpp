// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/policies/jitter/cap_after_draw.hpp"
#include "anew/policies/jitter/full.hpp"
#include "anew/policies/jitter/proportional.hpp"
#include "anew/testing/scripted_random.hpp"
#include "anew/testing/statistics.hpp"

#include "names.hpp"

namespace jitter_test {
namespace {

using namespace anew;

constexpr delay_bounds within(duration first, duration cap) { return {.first = first, .ceiling = first, .cap = cap}; }

/// The delay before retry `n` of a call whose random numbers are all `word`.
duration nth_delay(delay_bounds const& bounds, int n, auto const& random) {
  cap_after_draw_jitter::state_type state{};
  for (int i = 1; i < n; ++i) (void)cap_after_draw_jitter::apply(bounds, state, random);
  return cap_after_draw_jitter::apply(bounds, state, random);
}

TEST(CapAfterDrawJitter, DrawsFromAnIntervalThatDoublesAndCapsThen) {
  constexpr auto bounds = within(1s, 20s);
  cap_after_draw_jitter::state_type state{};
  scripted_random const middle{anew::testing::middle_word};
  for (duration const delay : {500ms, 1000ms, 2000ms, 4000ms, 8000ms, 16000ms, 20000ms, 20000ms}) {
    EXPECT_EQ(cap_after_draw_jitter::apply(bounds, state, middle), delay);
  }
  EXPECT_EQ(middle.calls(), 8U);
  EXPECT_EQ(nth_delay(bounds, 5, scripted_random{highest_word}), 16s - 1ns);
  EXPECT_EQ(nth_delay(bounds, 6, scripted_random{highest_word}), 20s);
  EXPECT_EQ(nth_delay(bounds, 6, scripted_random{lowest_word}), 0s);
  EXPECT_EQ(cap_after_draw_jitter::describe(), "cap_after_draw_jitter");
}

// first * 2^(n-1) * word / 2^64, exactly, wherever it is below the cap.
TEST(CapAfterDrawJitter, DoublesPastTheEndOfEveryInteger) {
  scripted_random const one{1};
  constexpr auto bounds = within(1ns, duration::max());
  EXPECT_EQ(nth_delay(bounds, 64, one), 0ns);
  EXPECT_EQ(nth_delay(bounds, 65, one), 1ns);  // 2^64 / 2^64
  EXPECT_EQ(nth_delay(bounds, 66, one), 2ns);
  EXPECT_EQ(nth_delay(bounds, 127, one), duration{std::int64_t{1} << 62U});
  EXPECT_EQ(nth_delay(bounds, 128, one), duration::max());
  EXPECT_EQ(nth_delay(bounds, 1000, one), duration::max());
  EXPECT_EQ(nth_delay(within(1ns, 100ns), 71, one), 64ns);
  EXPECT_EQ(nth_delay(within(1ns, 100ns), 72, one), 100ns);
  EXPECT_EQ(nth_delay(within(1ns, 100ns), 1000, scripted_random{lowest_word}), 0ns);
  scripted_random const highest{highest_word};
  EXPECT_EQ(nth_delay(within(duration::max(), duration::max()), 1, highest), duration::max() - 1ns);
  for (int n : {2, 3, 63, 64, 65, 66, 67, 128, 129, 500}) {
    EXPECT_EQ(nth_delay(within(duration::max(), duration::max()), n, highest), duration::max()) << n;
  }
}

TEST(CapAfterDrawJitter, OfNothingIsNothing) {
  scripted_random const random{highest_word};
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

constexpr delay_bounds up_to(duration first, duration cap) { return {.first = first, .ceiling = cap, .cap = cap}; }

TEST(DecorrelatedJitter, GoesFromTheFirstDelayToThreeTimesTheOneBefore) {
  constexpr auto bounds = up_to(100ms, 1h);
  decorrelated_jitter::state_type low{};
  decorrelated_jitter::state_type high{};
  scripted_random lowest{lowest_word};
  scripted_random highest{highest_word};
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
  constexpr auto bounds = up_to(100ms, 1h);
  decorrelated_jitter::state_type state{};
  scripted_random random{anew::testing::middle_word, highest_word, lowest_word, highest_word};
  EXPECT_EQ(decorrelated_jitter::apply(bounds, state, random), 200ms);
  EXPECT_EQ(decorrelated_jitter::apply(bounds, state, random), 600ms);
  EXPECT_EQ(decorrelated_jitter::apply(bounds, state, random), 100ms);
  EXPECT_EQ(decorrelated_jitter::apply(bounds, state, random), 300ms);
}

TEST(DecorrelatedJitter, TheCapBoundsTheDraw) {
  for (duration const cap : {duration{250ms}, duration{300ms}, duration{301ms}, duration{100ms}}) {
    decorrelated_jitter::state_type state{};
    scripted_random highest{highest_word};
    EXPECT_EQ(decorrelated_jitter::apply(up_to(100ms, cap), state, highest), detail::smaller(cap, duration{300ms}));
    EXPECT_EQ(decorrelated_jitter::apply(up_to(100ms, cap), state, highest), cap);
    scripted_random middle{anew::testing::middle_word};
    EXPECT_EQ(decorrelated_jitter::apply(up_to(100ms, cap), state, middle), 100ms + (cap - 100ms + 1ns) / 2);
  }
}

TEST(DecorrelatedJitter, ExtremeBounds) {
  scripted_random highest{highest_word};
  decorrelated_jitter::state_type state{};
  duration last{0};
  for (int i = 0; i < 60; ++i) {
    auto const next = decorrelated_jitter::apply(up_to(1ns, duration::max()), state, highest);
    ASSERT_GE(next, last);
    last = next;
  }
  EXPECT_EQ(last, duration::max());
  decorrelated_jitter::state_type none{};
  EXPECT_EQ(decorrelated_jitter::apply(up_to(0ns, 0ns), none, highest), 0ns);
  decorrelated_jitter::state_type odd{};
  EXPECT_EQ(decorrelated_jitter::apply(up_to(5s, 1s), odd, highest), 1s);
}

/// The second delay of a call, both times under this ceiling.
template <class Jitter>
duration under(duration ceiling) {
  typename Jitter::state_type state{};
  scripted_random const random{anew::testing::middle_word};
  (void)Jitter::apply({.first = 1s, .ceiling = ceiling, .cap = 20s}, state, random);
  return Jitter::apply({.first = 1s, .ceiling = ceiling, .cap = 20s}, state, random);
}

TEST(JittersThatGrow, TheFactorOfTheBackoffHasNoEffect) {
  EXPECT_EQ(under<cap_after_draw_jitter>(7s), under<cap_after_draw_jitter>(1s));
  EXPECT_EQ(under<decorrelated_jitter>(7s), under<decorrelated_jitter>(1s));
  EXPECT_EQ(under<polly_decorrelated_jitter>(7s), under<polly_decorrelated_jitter>(1s));
}

using polly = polly_decorrelated_jitter;

/// What the published formula says of t, in first delays.
double grown(double t) { return std::pow(2.0, t) * std::tanh(std::sqrt(4.0 * t)) / 1.4; }

TEST(PollyDecorrelatedJitter, IsTheGrowthSinceTheDelayBefore) {
  polly::state_type state{};
  // The shares of 2^64 that the words stand for: 0.5, 0.25, 0, 0.75.
  constexpr std::uint64_t quarter = std::uint64_t{1} << 62U;
  scripted_random const random{2 * quarter, quarter, 0, 3 * quarter};
  double reached = 0;
  for (double const t : {0.5, 1.25, 2.0, 3.75}) {
    auto const delay = polly::apply(within(1s, 1h), state, random);
    EXPECT_NEAR(static_cast<double>(delay.count()), (grown(t) - reached) * 1e9, 2) << t;
    reached = grown(t);
  }
  EXPECT_EQ(random.calls(), 4U);
  EXPECT_EQ(polly::describe(), "polly_decorrelated_jitter");
}

// Reckoned by hand from the published formula: tanh(sqrt(2)) = 0.888386, tanh(2) = 0.964028, tanh(sqrt(8)) =
// 0.993037.
TEST(PollyDecorrelatedJitter, KnownDelays) {
  polly::state_type state{};
  scripted_random const random{anew::testing::middle_word, 0};
  EXPECT_NEAR(static_cast<double>(polly::apply(within(1s, 1h), state, random).count()), 0.897401e9, 1e4);
  EXPECT_NEAR(static_cast<double>(polly::apply(within(1s, 1h), state, random).count()),
              (2 * 0.964028 / 1.4 - 0.897401) * 1e9, 1e4);
  EXPECT_NEAR(static_cast<double>(polly::apply(within(1s, 1h), state, random).count()),
              (4 * 0.993037 - 2 * 0.964028) / 1.4 * 1e9, 1e4);
}

TEST(PollyDecorrelatedJitter, StaysWithinTheCapForEver) {
  for (std::uint64_t const word : {lowest_word, anew::testing::middle_word, highest_word}) {
    for (duration const cap : {duration{1}, duration{20s}, duration::max() - 1ns, duration::max()}) {
      polly::state_type state{};
      scripted_random const random{word};
      duration delay{};
      for (int i = 0; i < 1200; ++i) {  // beyond 1024 a double is infinite
        delay = polly::apply(within(1ns, cap), state, random);
        ASSERT_GE(delay, 0ns);
        ASSERT_LE(delay, cap);
      }
      EXPECT_EQ(delay, cap);
    }
  }
}

TEST(PollyDecorrelatedJitter, NeverGoesBack) {
  polly::state_type state{};
  for (int i = 0; i < 60; ++i) {  // as late as may be, then as early as may be
    scripted_random const random{i % 2 == 0 ? highest_word : lowest_word};
    EXPECT_GE(polly::apply(within(1ns, duration::max()), state, random), 0ns) << i;
  }
}

TEST(PollyDecorrelatedJitter, OfNothingIsNothing) {
  polly::state_type state{};
  scripted_random const random{anew::testing::middle_word};
  for (int i = 0; i < 1200; ++i) ASSERT_EQ(polly::apply(within(0ns, 20s), state, random), 0ns);
}

constexpr int count = 20'000;

/// Of `count` calls the delays before each of eight retries, and the times since the first failure, in first delays.
struct calls {
  std::vector<std::vector<double>> delays{8};
  std::vector<std::vector<double>> times{8};
  explicit calls(duration cap) {
    anew::testing::seeded_random const random{3};
    for (int i = 0; i < count; ++i) {
      polly::state_type state{};
      double time = 0;
      for (std::size_t retry = 0; retry < 8; ++retry) {
        double const delay = static_cast<double>(polly::apply(within(1s, cap), state, random).count()) * 1e-9;
        time += delay;
        delays[retry].push_back(delay);
        times[retry].push_back(time);
      }
    }
    for (auto& sample : delays) std::sort(sample.begin(), sample.end());
    for (auto& sample : times) std::sort(sample.begin(), sample.end());
  }
};

struct published_quantiles {
  std::size_t retry;
  double mean, deviation, shortest, p05, p25, p50, p75, p95, longest;
};

void has_the_quantiles(std::vector<double> const& sample, published_quantiles const& row) {
  EXPECT_NEAR(anew::testing::mean(sample), row.mean, 4 * row.deviation / std::sqrt(count)) << row.retry;
  EXPECT_NEAR(std::sqrt(anew::testing::variance(sample)) / row.deviation, 1.0, 0.05) << row.retry;
  using quantile = std::pair<double, double>;
  for (auto const& [p, value] : {quantile{0.05, row.p05}, quantile{0.25, row.p25}, quantile{0.5, row.p50},
                                 quantile{0.75, row.p75}, quantile{0.95, row.p95}}) {
    EXPECT_NEAR(sample[static_cast<std::size_t>(p * count)] / value, 1.0, 0.05) << row.retry << " " << p;
  }
  EXPECT_GE(sample.front(), 0.0);
  EXPECT_GE(sample.front(), row.shortest * 0.9 - 0.05) << row.retry;
  EXPECT_LE(sample.back(), row.longest * 1.001) << row.retry;
  EXPECT_LT(anew::testing::largest_frequency(sample), 1e-3) << row.retry;
}

// Quantiles of 200,000 calls of the published formula, in first delays.
TEST(PollyDecorrelatedJitter, HasThePublishedQuantiles) {
  calls const c{24h};
  for (auto const& row :
       {published_quantiles{0, 0.8713, 0.3126, 0.0014, 0.3102, 0.6480, 0.8973, 1.1284, 1.3251, 1.3772},
        published_quantiles{1, 1.1567, 0.5233, 0.0022, 0.3348, 0.7592, 1.1359, 1.5273, 2.0554, 2.7886},
        published_quantiles{2, 2.0781, 0.9217, 0.0092, 0.6318, 1.3756, 2.0175, 2.7780, 3.6533, 4.3223},
        published_quantiles{3, 4.1299, 1.8421, 0.0061, 1.2449, 2.7189, 4.0095, 5.5356, 7.2796, 8.5675},
        published_quantiles{7, 65.9714, 29.3976, 0.2464, 19.9055, 43.4409, 64.1253, 88.3388, 116.0856, 137.0025}}) {
    has_the_quantiles(c.delays[row.retry], row);
  }
  // Since the first failure: around 1, 2, 4, 8 and 128.
  for (auto const& row :
       {published_quantiles{0, 0.8713, 0.3126, 0.0014, 0.3102, 0.6480, 0.8973, 1.1284, 1.3251, 1.3772},
        published_quantiles{1, 2.0279, 0.4197, 1.3772, 1.4295, 1.6589, 1.9886, 2.3770, 2.7387, 2.8372},
        published_quantiles{2, 4.1060, 0.8228, 2.8373, 2.9398, 3.3817, 4.0221, 4.7893, 5.5062, 5.7031},
        published_quantiles{3, 8.2359, 1.6445, 5.7031, 5.9057, 6.7837, 8.0722, 9.6021, 11.0356, 11.4209},
        published_quantiles{7, 131.9183, 26.2856, 91.4241, 94.6386, 108.6815, 129.3512, 153.8006, 176.5984,
                            182.8522}}) {
    has_the_quantiles(c.times[row.retry], row);
  }
}

// The first delay is the formula of a uniform number, so its distribution function is the formula's inverse.
TEST(PollyDecorrelatedJitter, TheFirstDelayHasTheFormulasDistribution) {
  auto const cdf = [](double x) {
    double low = 0;
    double high = 1;
    for (int i = 0; i < 50; ++i) (grown((low + high) / 2) < x ? low : high) = (low + high) / 2;
    return low;
  };
  EXPECT_LT(anew::testing::ks_distance(calls{24h}.delays[0], cdf), anew::testing::ks_critical(count));
}

// As published the cap clamps: of the fourth delays, whose median is 4.0095, half are a cap of that; of the eighth, nearly
// all.
TEST(PollyDecorrelatedJitter, HasAnAtomAtTheCap) {
  calls const c{4'009'500us};
  auto const at_the_cap = [&](std::size_t retry) { return anew::testing::largest_frequency(c.delays[retry]); };
  EXPECT_NEAR(at_the_cap(3), 0.5, 4 * std::sqrt(0.25 / count) + 0.005);
  EXPECT_GT(at_the_cap(7), 0.98);
  EXPECT_LT(at_the_cap(1), 1e-3);
  EXPECT_EQ(c.delays[7].back(), 4.0095);
}

}  // namespace
}  // namespace jitter_test
