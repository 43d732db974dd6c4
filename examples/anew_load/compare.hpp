// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_COMPARE_HPP
#define ANEW_LOAD_COMPARE_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "series.hpp"

namespace anew_load {

/// One measure of two strategies.
struct compared {
  struct interval {
    double low = 0;
    double high = 0;
    [[nodiscard]] bool has_zero() const noexcept { return low <= 0 && high >= 0; }
  };
  std::string name;  // "p99"
  std::string unit;  // "ms"
  double a = 0;
  double b = 0;
  std::optional<interval> difference;  // b - a, with 95 % confidence; nothing: too short a run
};

struct comparison {
  static constexpr std::size_t samples = 1000;
  static constexpr std::size_t least_parts = 10;
  static constexpr std::size_t most_parts = 50;

  std::size_t parts = 0;      // that both strategies have
  anew::duration part{};      // the length of each
  std::vector<compared> all;  // ok, mean, p50, p90, p99, attempts
};

/// Compares two series that were measured at the same time. The interval is that of a percentile bootstrap over the parts
/// of the run: each sample draws as many parts as there are, with replacement, and the same parts for both. Calls
/// of the same moment thereby stay together, and a pause of the server falls on both strategies.
[[nodiscard]] comparison compare(series const& a, series const& b);

}  // namespace anew_load

#endif
