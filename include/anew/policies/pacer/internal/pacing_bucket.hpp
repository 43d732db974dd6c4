// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_PACER_INTERNAL_PACING_BUCKET_HPP
#define ANEW_POLICIES_PACER_INTERNAL_PACING_BUCKET_HPP

#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
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

namespace detail {

constexpr std::int64_t floor_divide(std::int64_t a, std::int64_t b) noexcept {
  return a / b - (a % b < 0 ? 1 : 0);  // b > 0
}
constexpr std::int64_t half_second_of(time_point now) noexcept {
  return detail::floor_divide(now.time_since_epoch().count(), 500'000'000);
}
constexpr double to_seconds(duration d) noexcept { return static_cast<double>(d.count()) / 1e9; }

}  // namespace detail

/// Measures the smoothed number of responses a second, by half seconds of the clock. An idle time of many half seconds
/// is one sample. Not safe from several threads.
///
/// Formula: at the first response of a later half second: rate = smooth*count/(seconds since the last sample) + (1-smooth)*rate
/// Source: the AWS SDKs' adaptive mode. Its first half second is the *whole* second of the start, so that a measurement
/// that begins at x.7 takes a sample at its first response.
class measured_rate {
 public:
  constexpr measured_rate() noexcept = default;
  constexpr explicit measured_rate(time_point start) noexcept
      : half_second_{2 * detail::floor_divide(start.time_since_epoch().count(), 1'000'000'000)} {}

  /// `count` responses at `now`.
  constexpr void record(std::uint64_t count, time_point now, double smooth) noexcept {
    count_ += count;
    auto const half_second = detail::half_second_of(now);
    if (half_second <= half_second_) return;
    auto const sample = static_cast<double>(count_) / (static_cast<double>(half_second - half_second_) / 2);
    rate_ = sample * smooth + rate_ * (1 - smooth);
    count_ = 0;
    half_second_ = half_second;
  }

  [[nodiscard]] constexpr double rate() const noexcept { return rate_; }

  /// Reads or writes the state: anew/state/saved_state.hpp.
  void walk_state(auto& w) {
    constexpr std::int64_t most_behind = 40'000'000'000;  // 600 years, which no clock spans
    constexpr std::int64_t most_ahead = 1;                // clocks of threads differ by less
    auto const present = detail::half_second_of(w.now());
    auto const ahead = w.number(detail::smaller(half_second_ - present, most_ahead));
    w.require(-most_behind <= ahead && ahead <= most_ahead);
    auto const count = w.counted(count_, std::numeric_limits<std::int64_t>::max());
    w.amount(rate_);
    if (!w.takes()) return;
    half_second_ = present + ahead;
    count_ = static_cast<std::uint64_t>(count);
  }

 private:
  std::int64_t half_second_ = 0;
  std::uint64_t count_ = 0;
  double rate_ = 0;
};

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

  /// Reads or writes the state: anew/state/saved_state.hpp.
  void walk_state(auto& w, rate_limiter_constants const& c, bool is_limited) {
    auto const rate = w.amount(fill_rate_);
    auto const most = w.amount(max_capacity_);
    w.require(w.amount(capacity_) <= most);
    w.require(!is_limited || (rate >= c.min_fill_rate && most >= c.min_capacity));
    auto const last = w.time(last_, duration::zero());
    if (w.takes()) last_ = last;
  }

 private:
  double fill_rate_ = 0;
  double max_capacity_ = 0;
  double capacity_ = 0;
  time_point last_ = time_point::min();
};

}  // namespace anew::inline ANEW_ABI

#endif
