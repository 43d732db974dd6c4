// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_LATENCY_HPP
#define ANEW_LOAD_LATENCY_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "anew/base/duration.hpp"

namespace anew_load {

/// The bins of HdrHistogram for nanoseconds up to an hour with three significant digits: exact up to 2,047 ns, then a
/// bin is at most 0.1 % of its value wide. Tools that read HdrHistogram's files read these bins unchanged.
namespace bins {
inline constexpr int significant_digits = 3;
inline constexpr std::int64_t least = 1;
inline constexpr std::int64_t longest = 3'600'000'000'000;
inline constexpr unsigned sub_bucket_bits = 11;  // 2,048 sub-buckets, enough for three digits
inline constexpr unsigned buckets = 32;          // as many as `longest` needs
inline constexpr std::size_t number = std::size_t{buckets + 1} << (sub_bucket_bits - 1);

/// A longer duration counts as `longest`.
[[nodiscard]] std::uint32_t index_of(anew::duration took) noexcept;
[[nodiscard]] std::int64_t lowest(std::size_t index) noexcept;
[[nodiscard]] std::int64_t highest(std::size_t index) noexcept;
}  // namespace bins

/// How long calls took. Its size does not depend on the number of calls. Sum and most are exact.
class latencies {
 public:
  void add(anew::duration took);
  void add(latencies const& others);
  /// `n` calls of a bin; `most` is not changed.
  void add_to_bin(std::size_t index, std::uint64_t n);
  void set_most(anew::duration most) noexcept { most_ = most; }
  void clear();

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  /// The time within which that share of the calls ended; zero when there were none.
  [[nodiscard]] anew::duration quantile(double share) const;
  [[nodiscard]] anew::duration most() const noexcept { return most_; }
  [[nodiscard]] anew::duration mean() const;
  /// Of the middles of the bins, as HdrHistogram computes it.
  [[nodiscard]] double deviation() const;
  /// Empty, or one number for each bin.
  [[nodiscard]] std::span<std::uint64_t const> counts() const noexcept { return counts_; }

 private:
  void make_room();

  std::vector<std::uint64_t> counts_;  // made with the first call
  std::uint64_t count_ = 0;
  double sum_ = 0;
  anew::duration most_{};
};

}  // namespace anew_load

#endif
