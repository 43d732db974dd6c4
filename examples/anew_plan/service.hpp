// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PLAN_SERVICE_HPP
#define ANEW_PLAN_SERVICE_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "scenario.hpp"

namespace anew_plan {

/// Nanoseconds of virtual time. The simulation begins at 0.
using instant = std::int64_t;
inline constexpr instant never = std::numeric_limits<instant>::max();

[[nodiscard]] inline double seconds_of(instant t) noexcept { return static_cast<double>(t) * 1e-9; }

/// A first-in, first-out queue with one server, whose speed falls in an outage that makes it slow. Each attempt is the same work, so that
/// the end of an attempt is known when it arrives, and no event is needed for the queue.
class service {
 public:
  explicit service(scenario const& s)
      : speed_{s.capacity * 1e-9},
        outage_speed_{s.mode == outage_mode::slow ? speed_ * s.remaining : speed_},
        outage_begins_{s.before.count()},
        outage_ends_{s.before.count() + s.outage.count()} {}

  /// When the attempt that arrives now is answered; attempts arrive in order.
  [[nodiscard]] instant answer_of_arrival(instant now) noexcept {
    auto at = static_cast<double>(now) > free_at_ ? static_cast<double>(now) : free_at_;
    double work = 1;
    for (;;) {
      auto const [speed, until] = phase_at(at);
      if (speed * (until - at) >= work) break;
      work -= speed * (until - at);
      at = until;
    }
    free_at_ = at + work / phase_at(at).speed;
    return static_cast<instant>(std::ceil(std::min(free_at_, 9e18)));
  }

  /// How long an attempt that arrives now would wait before the service begins it, in seconds.
  [[nodiscard]] double wait(instant now) const noexcept {
    return std::max(0.0, (free_at_ - static_cast<double>(now)) * 1e-9);
  }

 private:
  struct phase {
    double speed;
    double until;
  };
  [[nodiscard]] phase phase_at(double t) const noexcept {
    if (t < static_cast<double>(outage_begins_)) return {speed_, static_cast<double>(outage_begins_)};
    if (t < static_cast<double>(outage_ends_)) return {outage_speed_, static_cast<double>(outage_ends_)};
    return {speed_, std::numeric_limits<double>::infinity()};
  }

  double speed_;  // attempts a nanosecond
  double outage_speed_;
  instant outage_begins_;
  instant outage_ends_;
  double free_at_ = 0;
};

}  // namespace anew_plan

#endif
