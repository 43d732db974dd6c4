// SPDX-License-Identifier: BSL-1.0
#ifndef FLEET_SIMULATION_ARRIVALS_HPP
#define FLEET_SIMULATION_ARRIVALS_HPP

#include <algorithm>
#include <cmath>
#include <vector>

#include "instant.hpp"
#include "world.hpp"

namespace fleet_simulation {

/// The times at which calls arrive: a Poisson process whose rate is constant, or changes in a straight line, in each phase.
class arrivals {
 public:
  arrivals(arrivals const&) = delete;
  arrivals& operator=(arrivals const&) = delete;
  explicit arrivals(std::vector<phase> const& phases) {
    instant begin = 0;
    for (auto const& one : phases) {
      auto const from = one.rate * 1e-9;
      auto const to = one.rate_at_end * 1e-9;
      auto const slope = from == to ? 0 : (to - from) / static_cast<double>(one.lasts.count());
      bool const goes_on =
          !stretches_.empty() && slope == 0 && stretches_.back().slope == 0 && stretches_.back().rate == from;
      if (goes_on) stretches_.pop_back();
      auto const first = goes_on ? begin_of_last_ : begin;
      begin_of_last_ = first;
      begin += one.lasts.count();
      stretches_.push_back({first, begin, from, slope, 1e9 / one.rate});
    }
    // Beyond the last phase, where the simulation has ended, the rate stays.
    auto& last = stretches_.back();
    if (last.slope == 0) {
      last.end = never;
    } else {
      auto const rate = phases.back().rate_at_end;
      stretches_.push_back({begin, never, rate * 1e-9, 0, 1e9 / rate});
    }
    present_ = stretches_.data();
  }

  /// The arrival after `now`, which does not go back. `mass` is how many calls were expected until then: a random number
  /// with an exponential distribution.
  [[nodiscard]] instant after(instant now, double mass) noexcept {
    for (;; ++present_) {
      auto const& in = *present_;
      if (now < in.end) {
        if (in.slope == 0) {
          auto const wait = mass * in.mean_gap;
          if (wait < static_cast<double>(in.end - now)) return now + static_cast<instant>(wait) + 1;
          if (in.end == never) return never;
          mass -= static_cast<double>(in.end - now) * in.rate;
        } else {
          auto const left = static_cast<double>(in.end - now);
          auto const rate = in.rate + in.slope * static_cast<double>(now - in.begin);
          auto const expected = left * (rate + in.slope * left / 2);
          if (mass < expected) {
            // The root of rate * t + slope / 2 * t^2 = mass, in the form that loses no digits.
            auto const wait = 2 * mass / (rate + std::sqrt(std::max(0.0, rate * rate + 2 * in.slope * mass)));
            return now + static_cast<instant>(wait) + 1;
          }
          mass -= expected;
        }
        now = in.end;
      }
    }
  }

 private:
  struct stretch {
    instant begin;
    instant end;
    double rate;   // calls a nanosecond
    double slope;  // how much the rate grows in a nanosecond
    double mean_gap;
  };
  std::vector<stretch> stretches_;
  stretch const* present_ = nullptr;
  instant begin_of_last_ = 0;
};

}  // namespace fleet_simulation

#endif
