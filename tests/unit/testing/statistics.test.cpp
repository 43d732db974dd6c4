// SPDX-License-Identifier: BSL-1.0
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "anew/testing/statistics.hpp"

namespace testing_statistics_test {
namespace {

using namespace anew::testing;
using sample = std::vector<double>;

sample evenly(int count) {
  sample s;
  for (int i = 0; i < count; ++i) s.push_back((i + 0.5) / count);
  return s;
}

TEST(Statistics, MeanAndVariance) {
  EXPECT_DOUBLE_EQ(mean({1, 2, 6}), 3);
  EXPECT_DOUBLE_EQ(variance({1, 2, 6}), 7);
}

TEST(Statistics, DistanceFromADistribution) {
  EXPECT_NEAR(ks_distance(evenly(100), uniform_cdf(0, 1)), 0.005, 1e-9);
  EXPECT_NEAR(ks_distance(evenly(100), uniform_cdf(0, 2)), 0.5, 0.01);
  EXPECT_NEAR(ks_distance(evenly(100), uniform_cdf(-1, 1)), 0.5, 0.01);
  EXPECT_DOUBLE_EQ(ks_critical(10'000), 0.01628);
}

TEST(Statistics, UniformDistribution) {
  auto const cdf = uniform_cdf(2, 4);
  EXPECT_DOUBLE_EQ(cdf(1), 0);
  EXPECT_DOUBLE_EQ(cdf(3), 0.5);
  EXPECT_DOUBLE_EQ(cdf(5), 1);
}

TEST(Statistics, LargestFrequency) {
  EXPECT_DOUBLE_EQ(largest_frequency({1, 2, 3, 2}), 0.5);
  EXPECT_DOUBLE_EQ(largest_frequency({5, 5, 5}), 1);
  EXPECT_DOUBLE_EQ(largest_frequency({4, 1, 3, 2}), 0.25);
}

TEST(Statistics, Entropy) {
  EXPECT_DOUBLE_EQ(entropy(evenly(64), 0, 1, 64), 6);
  EXPECT_DOUBLE_EQ(entropy({0.1, 0.1, 0.1}, 0, 1, 64), 0);
  EXPECT_DOUBLE_EQ(entropy({0.1, 0.9}, 0, 1, 2), 1);
  EXPECT_DOUBLE_EQ(entropy({0.1, 1}, 0, 1, 2), 1) << "the upper end is in the last bin";
}

}  // namespace
}  // namespace testing_statistics_test
