// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cmath>
#include <vector>

#include <boost/histogram/axis/regular.hpp>
#include <boost/histogram/histogram.hpp>
#include <boost/histogram/make_histogram.hpp>

#include "latency.hpp"

namespace anew_load {

namespace {

namespace bh = boost::histogram;

// 1e3 ns to 1.2e12 ns: the bounds of a bin are 1.0 % apart.
constexpr double least = 1e3;
constexpr double longest = 1.2e12;
constexpr unsigned number_of_bins = 2100;

using logarithmic = bh::axis::regular<double, bh::axis::transform::log>;

auto empty() {
  return bh::make_histogram_with(std::vector<std::uint64_t>{}, logarithmic{number_of_bins, least, longest});
}

}  // namespace

struct latencies::bins {
  decltype(empty()) of = empty();
};

latencies::latencies() : bins_{std::make_unique<bins>()} {}
latencies::~latencies() = default;
latencies::latencies(latencies&&) noexcept = default;
latencies& latencies::operator=(latencies&&) noexcept = default;

void latencies::add(anew::duration took) {
  auto const ns = static_cast<double>(took.count());
  bins_->of(ns);
  ++count_;
  sum_ += ns;
  most_ = std::max(most_, took);
}

void latencies::add(latencies const& others) {
  bins_->of += others.bins_->of;
  count_ += others.count_;
  sum_ += others.sum_;
  most_ = std::max(most_, others.most_);
}

void latencies::clear() {
  bins_->of.reset();
  count_ = 0;
  sum_ = 0;
  most_ = {};
}

anew::duration latencies::quantile(double share) const {
  if (count_ == 0) return {};
  auto const wanted = share * static_cast<double>(count_);
  double below = 0;
  // From the bin of all that is too short to the one of all that is too long.
  for (int i = -1; i <= static_cast<int>(number_of_bins); ++i) {
    auto const here = static_cast<double>(bins_->of.at(i));
    if (here > 0 && below + here >= wanted) {
      if (i < 0) return std::min(most_, anew::duration{static_cast<std::int64_t>(least)});
      if (i == static_cast<int>(number_of_bins)) return most_;
      auto const bin = bins_->of.axis().bin(i);
      auto const ns = bin.lower() * std::pow(bin.upper() / bin.lower(), (wanted - below) / here);
      return std::min(most_, anew::duration{static_cast<std::int64_t>(ns)});
    }
    below += here;
  }
  return most_;
}

anew::duration latencies::mean() const {
  return count_ == 0 ? anew::duration{} : anew::duration{static_cast<std::int64_t>(sum_ / static_cast<double>(count_))};
}

}  // namespace anew_load
