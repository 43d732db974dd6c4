// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "anew/jitter/polly_decorrelated.hpp"
#include "anew/testing/scripted_random.hpp"
#include "anew/testing/seeded_random.hpp"
#include "anew/testing/statistics.hpp"

namespace jitter_polly_decorrelated_test {
namespace {

using namespace std::chrono_literals;
using anew::delay_bounds;
using anew::duration;
using jitter = anew::polly_decorrelated_jitter;

constexpr delay_bounds within(duration first, duration cap) { return {.first = first, .ceiling = first, .cap = cap}; }

/// What the published formula says of t, in first delays.
double grown(double t) { return std::pow(2.0, t) * std::tanh(std::sqrt(4.0 * t)) / 1.4; }

TEST(PollyDecorrelatedJitter, IsTheGrowthSinceTheDelayBefore) {
  jitter::state_type state{};
  // The shares of 2^64 that the words stand for: 0.5, 0.25, 0, 0.75.
  constexpr std::uint64_t quarter = std::uint64_t{1} << 62U;
  anew::testing::scripted_random const random{2 * quarter, quarter, 0, 3 * quarter};
  double reached = 0;
  for (double const t : {0.5, 1.25, 2.0, 3.75}) {
    auto const delay = jitter::apply(within(1s, 1h), state, random);
    EXPECT_NEAR(static_cast<double>(delay.count()), (grown(t) - reached) * 1e9, 2) << t;
    reached = grown(t);
  }
  EXPECT_EQ(random.calls(), 4U);
  EXPECT_EQ(jitter::describe(), "polly_decorrelated_jitter");
}

// Reckoned by hand from the published formula: tanh(sqrt(2)) = 0.888386, tanh(2) = 0.964028, tanh(sqrt(8)) =
// 0.993037.
TEST(PollyDecorrelatedJitter, KnownDelays) {
  jitter::state_type state{};
  anew::testing::scripted_random const random{anew::testing::middle_word, 0};
  EXPECT_NEAR(static_cast<double>(jitter::apply(within(1s, 1h), state, random).count()), 0.897401e9, 1e4);
  EXPECT_NEAR(static_cast<double>(jitter::apply(within(1s, 1h), state, random).count()),
              (2 * 0.964028 / 1.4 - 0.897401) * 1e9, 1e4);
  EXPECT_NEAR(static_cast<double>(jitter::apply(within(1s, 1h), state, random).count()),
              (4 * 0.993037 - 2 * 0.964028) / 1.4 * 1e9, 1e4);
}

TEST(PollyDecorrelatedJitter, TheFactorOfTheBackoffHasNoEffect) {
  jitter::state_type a{};
  jitter::state_type b{};
  anew::testing::scripted_random const random{anew::testing::middle_word};
  EXPECT_EQ(jitter::apply({1s, 1s, 1h}, a, random), jitter::apply({1s, 7s, 1h}, b, random));
}

TEST(PollyDecorrelatedJitter, StaysWithinTheCapForEver) {
  for (std::uint64_t const word :
       {anew::testing::lowest_word, anew::testing::middle_word, anew::testing::highest_word}) {
    for (duration const cap : {duration{1}, duration{20s}, duration::max() - 1ns, duration::max()}) {
      jitter::state_type state{};
      anew::testing::scripted_random const random{word};
      duration delay{};
      for (int i = 0; i < 1200; ++i) {  // beyond 1024 a double is infinite
        delay = jitter::apply(within(1ns, cap), state, random);
        ASSERT_GE(delay, 0ns);
        ASSERT_LE(delay, cap);
      }
      EXPECT_EQ(delay, cap);
    }
  }
}

TEST(PollyDecorrelatedJitter, NeverGoesBack) {
  jitter::state_type state{};
  for (int i = 0; i < 60; ++i) {  // as late as may be, then as early as may be
    anew::testing::scripted_random const random{i % 2 == 0 ? anew::testing::highest_word : anew::testing::lowest_word};
    EXPECT_GE(jitter::apply(within(1ns, duration::max()), state, random), 0ns) << i;
  }
}

TEST(PollyDecorrelatedJitter, OfNothingIsNothing) {
  jitter::state_type state{};
  anew::testing::scripted_random const random{anew::testing::middle_word};
  for (int i = 0; i < 1200; ++i) ASSERT_EQ(jitter::apply(within(0ns, 20s), state, random), 0ns);
}

constexpr int count = 20'000;

/// Of `count` calls the delays before each of eight retries, and the times since the first failure, in first delays.
struct calls {
  std::vector<std::vector<double>> delays{8};
  std::vector<std::vector<double>> times{8};
  explicit calls(duration cap) {
    anew::testing::seeded_random const random{3};
    for (int i = 0; i < count; ++i) {
      jitter::state_type state{};
      double time = 0;
      for (std::size_t retry = 0; retry < 8; ++retry) {
        double const delay = static_cast<double>(jitter::apply(within(1s, cap), state, random).count()) * 1e-9;
        time += delay;
        delays[retry].push_back(delay);
        times[retry].push_back(time);
      }
    }
    for (auto& sample : delays) std::sort(sample.begin(), sample.end());
    for (auto& sample : times) std::sort(sample.begin(), sample.end());
  }
};

struct published_row {
  std::size_t retry;
  double mean, deviation, shortest, p05, p25, p50, p75, p95, longest;
};

void has_the_quantiles(std::vector<double> const& sample, published_row const& row) {
  EXPECT_NEAR(anew::testing::mean(sample), row.mean, 4 * row.deviation / std::sqrt(count)) << row.retry;
  EXPECT_NEAR(std::sqrt(anew::testing::variance(sample)) / row.deviation, 1.0, 0.05) << row.retry;
  struct quantile {
    double p, value;
  };
  for (auto const& q : {quantile{0.05, row.p05}, quantile{0.25, row.p25}, quantile{0.5, row.p50},
                        quantile{0.75, row.p75}, quantile{0.95, row.p95}}) {
    EXPECT_NEAR(sample[static_cast<std::size_t>(q.p * count)] / q.value, 1.0, 0.05) << row.retry << " " << q.p;
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
       {published_row{0, 0.8713, 0.3126, 0.0014, 0.3102, 0.6480, 0.8973, 1.1284, 1.3251, 1.3772},
        published_row{1, 1.1567, 0.5233, 0.0022, 0.3348, 0.7592, 1.1359, 1.5273, 2.0554, 2.7886},
        published_row{2, 2.0781, 0.9217, 0.0092, 0.6318, 1.3756, 2.0175, 2.7780, 3.6533, 4.3223},
        published_row{3, 4.1299, 1.8421, 0.0061, 1.2449, 2.7189, 4.0095, 5.5356, 7.2796, 8.5675},
        published_row{7, 65.9714, 29.3976, 0.2464, 19.9055, 43.4409, 64.1253, 88.3388, 116.0856, 137.0025}}) {
    has_the_quantiles(c.delays[row.retry], row);
  }
  // Since the first failure: around 1, 2, 4, 8 and 128.
  for (auto const& row :
       {published_row{0, 0.8713, 0.3126, 0.0014, 0.3102, 0.6480, 0.8973, 1.1284, 1.3251, 1.3772},
        published_row{1, 2.0279, 0.4197, 1.3772, 1.4295, 1.6589, 1.9886, 2.3770, 2.7387, 2.8372},
        published_row{2, 4.1060, 0.8228, 2.8373, 2.9398, 3.3817, 4.0221, 4.7893, 5.5062, 5.7031},
        published_row{3, 8.2359, 1.6445, 5.7031, 5.9057, 6.7837, 8.0722, 9.6021, 11.0356, 11.4209},
        published_row{7, 131.9183, 26.2856, 91.4241, 94.6386, 108.6815, 129.3512, 153.8006, 176.5984, 182.8522}}) {
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
}  // namespace jitter_polly_decorrelated_test
