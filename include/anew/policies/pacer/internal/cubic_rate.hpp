// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_PACER_INTERNAL_CUBIC_RATE_HPP
#define ANEW_POLICIES_PACER_INTERNAL_CUBIC_RATE_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/math.hpp"
#include "anew/policies/pacer/rate_limiter_constants.hpp"

namespace anew::inline ANEW_ABI {

/// Computes how a rate falls when it is too high, and grows again: fast at first, slowly near the last rate that was
/// too high, then faster and faster to probe for more. TCP's CUBIC, with seconds and attempts a second.
///
/// Formula: success(t) = scale*(t - last_throttle_time - W)^3 + last_max_rate with W = cbrt(last_max_rate*(1-beta)/scale);
/// throttle(rate) = beta*rate
/// Source: RFC 9438 (CUBIC) as the AWS SDKs' adaptive mode uses it.
struct cubic_rate {
  double last_max_rate = 0;       ///< the rate when it was last too high
  double last_throttle_time = 0;  ///< when that was, in seconds
  rate_limiter_constants constants{};

  /// The time until the rate is back at its last maximum.
  [[nodiscard]] static double time_window(double last_max_rate, rate_limiter_constants const& c = {}) noexcept {
    return detail::cube_root(last_max_rate * (1 - c.beta) / c.scale);
  }

  /// The rate after a response at `t` that was not throttled. A known `window` saves a cube root.
  [[nodiscard]] double success(double t) const noexcept { return success(t, time_window(last_max_rate, constants)); }
  [[nodiscard]] double success(double t, double window) const noexcept {
    auto const x = t - last_throttle_time - window;
    return constants.scale * (x * x * x) + last_max_rate;
  }

  /// The rate after a throttled response at `rate`.
  [[nodiscard]] double throttle(double rate) const noexcept { return rate * constants.beta; }
  /// The same, and records the rate and the time.
  double throttle(double rate, double t) noexcept {
    last_max_rate = rate;
    last_throttle_time = t;
    return throttle(rate);
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
