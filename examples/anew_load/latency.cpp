// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <bit>
#include <cmath>

#include "latency.hpp"

namespace anew_load {

namespace bins {

namespace {
constexpr std::uint64_t sub_buckets = 1U << sub_bucket_bits;
constexpr std::uint64_t half = sub_buckets / 2;

/// How many low bits of a value its bin does not tell.
constexpr unsigned shift_of(std::size_t index) noexcept {
  return index < sub_buckets ? 0 : static_cast<unsigned>(index / half) - 1;
}
}  // namespace

std::uint32_t index_of(anew::duration took) noexcept {
  auto const value = static_cast<std::uint64_t>(std::clamp<std::int64_t>(took.count(), 0, longest));
  auto const shift = static_cast<unsigned>(std::bit_width(value | (sub_buckets - 1))) - sub_bucket_bits;
  return static_cast<std::uint32_t>(shift * half + (value >> shift));
}

std::int64_t lowest(std::size_t index) noexcept {
  auto const shift = shift_of(index);
  return static_cast<std::int64_t>((index - shift * half) << shift);
}

std::int64_t highest(std::size_t index) noexcept {
  return lowest(index) + static_cast<std::int64_t>((std::uint64_t{1} << shift_of(index)) - 1);
}

}  // namespace bins

void latencies::make_room() {
  if (counts_.empty()) counts_.resize(bins::number);
}

void latencies::add(anew::duration took) {
  make_room();
  ++counts_[bins::index_of(took)];
  ++count_;
  sum_ += static_cast<double>(took.count());
  most_ = std::max(most_, took);
}

void latencies::add(latencies const& others) {
  if (others.count_ == 0) return;
  make_room();
  for (std::size_t i = 0; i != bins::number; ++i) counts_[i] += others.counts_[i];
  count_ += others.count_;
  sum_ += others.sum_;
  most_ = std::max(most_, others.most_);
}

void latencies::add_to_bin(std::size_t index, std::uint64_t n) {
  make_room();
  counts_[index] += n;
  count_ += n;
  sum_ += static_cast<double>(n) * static_cast<double>(bins::lowest(index) + bins::highest(index)) / 2;
}

void latencies::clear() {
  std::fill(counts_.begin(), counts_.end(), 0);
  count_ = 0;
  sum_ = 0;
  most_ = {};
}

anew::duration latencies::quantile(double share) const {
  auto const wanted =
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_))));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i != counts_.size(); ++i) {
    seen += counts_[i];
    if (seen >= wanted) return std::min(most_, anew::duration{bins::highest(i)});
  }
  return most_;
}

anew::duration latencies::mean() const {
  return count_ == 0 ? anew::duration{} : anew::duration{static_cast<std::int64_t>(sum_ / static_cast<double>(count_))};
}

double latencies::deviation() const {
  if (count_ == 0) return 0;
  auto const average = sum_ / static_cast<double>(count_);
  double squares = 0;
  for (std::size_t i = 0; i != counts_.size(); ++i) {
    auto const off = static_cast<double>(bins::lowest(i) + bins::highest(i)) / 2 - average;
    squares += static_cast<double>(counts_[i]) * off * off;
  }
  return std::sqrt(squares / static_cast<double>(count_));
}

}  // namespace anew_load
