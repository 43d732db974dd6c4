// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <chrono>
#include <cmath>

#include "arrivals.hpp"

namespace anew_load {

namespace {

/// A call that arrives later arrives after the end of any run.
constexpr double longest = 4e9;

double in_seconds(anew::duration d) { return std::chrono::duration<double>{d}.count(); }

anew::duration from_seconds(double seconds) {
  return std::chrono::duration_cast<anew::duration>(std::chrono::duration<double>{std::min(seconds, longest)});
}

}  // namespace

arrivals::arrivals(std::vector<rate_step> const& steps) {
  double starts_after = 0;
  double calls_before = 0;
  for (auto const& one : steps) {
    auto const seconds = in_seconds(one.length);
    steps_.push_back({one, seconds, starts_after, calls_before});
    starts_after += seconds;
    calls_before += (one.from + one.to) / 2 * seconds;
  }
  auto const last = steps.back().to;
  steps_.push_back({{last, last, {}}, longest, starts_after, calls_before});
}

anew::duration arrivals::time_of(double number) const {
  auto const after = std::upper_bound(steps_.begin(), steps_.end(), number,
                                      [](double n, placed const& one) { return n < one.calls_before; });
  auto const& in = *std::prev(after);
  auto const calls = number - in.calls_before;
  auto const growth = (in.of.to - in.of.from) / in.seconds;
  // Of the time at which the step has brought that many calls; this form also holds where the rate does not change.
  auto const root = std::sqrt(std::max(0.0, in.of.from * in.of.from + 2 * growth * calls));
  return from_seconds(in.starts_after + 2 * calls / (in.of.from + root));
}

double arrivals::rate_at(anew::duration since_start) const {
  auto const now = in_seconds(since_start);
  auto const after = std::upper_bound(steps_.begin(), steps_.end(), now,
                                      [](double t, placed const& one) { return t < one.starts_after; });
  auto const& in = after == steps_.begin() ? steps_.front() : *std::prev(after);
  return in.of.from + (in.of.to - in.of.from) * std::clamp((now - in.starts_after) / in.seconds, 0.0, 1.0);
}

anew::duration arrivals::length() const { return from_seconds(steps_.back().starts_after); }

}  // namespace anew_load
