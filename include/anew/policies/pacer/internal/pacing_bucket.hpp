// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_PACER_INTERNAL_PACING_BUCKET_HPP
#define ANEW_POLICIES_PACER_INTERNAL_PACING_BUCKET_HPP

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/policies/pacer/internal/measured_rate.hpp"
#include "anew/policies/pacer/rate_limiter_constants.hpp"

namespace anew::inline ANEW_ABI {

/// A bucket that refills at a rate and holds the tokens of one second. It starts empty. Not safe from several threads.
///
/// Formula: capacity = min(max_capacity, capacity + elapsed*fill_rate)
/// Source: the AWS SDKs' adaptive mode; its waits as in smithy-rs and botocore.
class pacing_bucket {
 public:
  constexpr pacing_bucket() noexcept = default;

  /// Sets the rate from `now` on, at least `min_fill_rate`.
  void set_rate(double rate, time_point now, rate_limiter_constants const& c) noexcept {
    refill(now);
    fill_rate_ = detail::larger(rate, c.min_fill_rate);
    max_capacity_ = detail::larger(rate, c.min_capacity);
    capacity_ = detail::smaller(capacity_, max_capacity_);
  }

  /// Takes `amount` and returns zero; or takes nothing and returns the time to wait before asking again, at least 1ns.
  [[nodiscard]] duration try_take(double amount, time_point now) noexcept {
    refill(now);
    auto const wait = time_to(amount);
    if (wait == duration::zero()) take(amount);
    return wait;
  }
  /// Takes `amount`, or slightly less after rounding.
  constexpr void take(double amount) noexcept { capacity_ = detail::larger(capacity_ - amount, 0.0); }

  /// The time until `amount` is available at the current rate, as of the last refill. A wait that rounds to nothing is
  /// zero, or a caller would ask for ever.
  [[nodiscard]] duration time_to(double amount) const noexcept {
    auto const ticks = (amount - capacity_) / fill_rate_ * 1e9;
    if (!(ticks > 0)) return duration::zero();
    if (ticks >= 9.2e18) return duration::max();
    return duration{static_cast<std::int64_t>(ticks + 0.5)};  // NOLINT(bugprone-incorrect-roundings): positive
  }

  /// The first refill has a rate of zero, however long ago the bucket was made.
  constexpr void refill(time_point now) noexcept {
    if (now <= last_) return;
    auto const elapsed = detail::to_seconds(detail::saturating_subtract(now, last_));
    capacity_ = detail::smaller(max_capacity_, capacity_ + elapsed * fill_rate_);
    last_ = now;
  }

  [[nodiscard]] constexpr double fill_rate() const noexcept { return fill_rate_; }
  [[nodiscard]] constexpr double max_capacity() const noexcept { return max_capacity_; }
  /// As of the last question or report.
  [[nodiscard]] constexpr double capacity() const noexcept { return capacity_; }

 private:
  friend detail::kept_state<pacing_bucket>;
  double fill_rate_ = 0;
  double max_capacity_ = 0;
  double capacity_ = 0;
  time_point last_ = time_point::min();
};

}  // namespace anew::inline ANEW_ABI

#endif
