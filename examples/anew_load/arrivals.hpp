// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_ARRIVALS_HPP
#define ANEW_LOAD_ARRIVALS_HPP

#include <vector>

#include "anew/base/duration.hpp"

namespace anew_load {

/// For so long, calls arrive at a rate that changes evenly. The rates are above zero.
struct rate_step {
  double from = 0;  // calls a second
  double to = 0;
  anew::duration length{};
};

/// When each call arrives. After the last step its rate continues.
class arrivals {
 public:
  arrivals() = default;
  explicit arrivals(std::vector<rate_step> const& steps);

  /// Since the start. The first call is number 0 and arrives at once.
  [[nodiscard]] anew::duration time_of(double number) const;
  /// In calls a second.
  [[nodiscard]] double rate_at(anew::duration since_start) const;
  /// The steps together.
  [[nodiscard]] anew::duration length() const;

 private:
  struct placed {
    rate_step of;
    double seconds;       // of its length
    double starts_after;  // seconds
    double calls_before;
  };
  std::vector<placed> steps_;
};

}  // namespace anew_load

#endif
