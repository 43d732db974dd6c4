// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_STATISTICS_HPP
#define ANEW_TESTING_STATISTICS_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "anew/base/platform/compiler.hpp"

/// Statistics of a sample of delays, for authors of jitters.
namespace anew::inline ANEW_ABI::testing {

/// The arithmetic mean. Requires a sample that is not empty.
inline double mean(std::vector<double> const& sample) {
  double sum = 0;
  for (double const x : sample) sum += x;
  return sum / static_cast<double>(sample.size());
}

/// The unbiased estimate.
inline double variance(std::vector<double> const& sample) {
  double const m = mean(sample);
  double sum = 0;
  for (double const x : sample) sum += (x - m) * (x - m);
  return sum / static_cast<double>(sample.size() - 1);
}

/// Kolmogorov-Smirnov: the largest distance between the sample's distribution and `cdf`.
double ks_distance(std::vector<double> sample, auto const& cdf) {
  std::ranges::sort(sample);
  auto const n = static_cast<double>(sample.size());
  double distance = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    double const expected = cdf(sample[i]);
    auto const below = static_cast<double>(i) / n;
    auto const above = static_cast<double>(i + 1) / n;
    distance = std::max({distance, std::abs(expected - below), std::abs(expected - above)});
  }
  return distance;
}

/// Above this value the hypothesis is rejected at 1 %.
inline double ks_critical(std::size_t n) { return 1.628 / std::sqrt(static_cast<double>(n)); }

/// The distribution function of U(low, high).
inline auto uniform_cdf(double low, double high) {
  return [low, high](double x) { return std::clamp((x - low) / (high - low), 0.0, 1.0); };
}

/// How often the commonest value occurs, as a share of the sample. Above 1e-3: a lump.
inline double largest_frequency(std::vector<double> sample) {
  std::ranges::sort(sample);
  std::size_t largest = 0;
  std::size_t run = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    run = i > 0 && !(sample[i - 1] < sample[i]) ? run + 1 : 1;
    largest = std::max(largest, run);
  }
  return static_cast<double>(largest) / static_cast<double>(sample.size());
}

/// Shannon entropy in bits over `bins` equal intervals of [low, high].
inline double entropy(std::vector<double> const& sample, double low, double high, std::size_t bins) {
  std::vector<std::size_t> counts(bins, 0);
  for (double const x : sample) {
    auto const bin = static_cast<std::size_t>((x - low) / (high - low) * static_cast<double>(bins));
    ++counts[std::min(bin, bins - 1)];
  }
  double bits = 0;
  for (std::size_t const count : counts) {
    if (count == 0) continue;
    double const p = static_cast<double>(count) / static_cast<double>(sample.size());
    bits -= p * std::log2(p);
  }
  return bits;
}

}  // namespace anew::inline ANEW_ABI::testing

#endif
