// SPDX-License-Identifier: BSL-1.0
#ifndef FLEET_SIMULATION_HISTOGRAM_HPP
#define FLEET_SIMULATION_HISTOGRAM_HPP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "instant.hpp"

namespace fleet_simulation {

/// How many calls took how long, within a 64th: 64 counts for each power of two of nanoseconds.
class histogram {
 public:
  void add(instant took, std::uint64_t calls = 1) noexcept {
    counts_[index_of(took)] += calls;
    all_ += calls;
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return all_; }
  /// Calls `f(seconds, calls)` for each count, with the middle of its seconds.
  template <class F>
  void for_each(F const& f) const {
    for (std::size_t i = 0; i != counts_.size(); ++i) {
      if (counts_[i] != 0) f(middle_of(i), counts_[i]);
    }
  }
  /// Seconds within which this share of the calls ended, to the middle of the count; 0 for an empty histogram.
  [[nodiscard]] double quantile(double share) const noexcept {
    if (all_ == 0) return 0;
    auto left = static_cast<std::uint64_t>(share * static_cast<double>(all_ - 1));
    std::size_t i = 0;
    while (left >= counts_[i]) left -= counts_[i++];
    return middle_of(i);
  }
  /// The share of the calls that took at most so long, as the middle of a count says it; 0 for an empty histogram.
  [[nodiscard]] double share_within(double seconds) const noexcept {
    std::uint64_t within = 0;
    for_each([&](double middle, std::uint64_t n) { within += middle <= seconds ? n : 0; });
    return all_ == 0 ? 0 : static_cast<double>(within) / static_cast<double>(all_);
  }

 private:
  [[nodiscard]] static std::size_t index_of(instant took) noexcept {
    auto const n = static_cast<std::uint64_t>(std::max<instant>(took, 0));
    auto const power = n < 128 ? 0U : static_cast<unsigned>(std::bit_width(n)) - 7U;
    return power * 64U + static_cast<unsigned>(n >> power);
  }
  [[nodiscard]] static double middle_of(std::size_t i) noexcept {
    auto const power = i < 128 ? 0U : static_cast<unsigned>(i / 64 - 1);
    auto const least = static_cast<double>(i - 64U * power);
    return (least + (power == 0 ? 0.0 : 0.5)) * static_cast<double>(std::uint64_t{1} << power) * 1e-9;
  }

  std::vector<std::uint64_t> counts_ = std::vector<std::uint64_t>(64U * 60U);
  std::uint64_t all_ = 0;
};

}  // namespace fleet_simulation

#endif
