// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_PACER_INTERNAL_MEASURED_RATE_HPP
#define ANEW_POLICIES_PACER_INTERNAL_MEASURED_RATE_HPP

#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

constexpr std::int64_t floor_divide(std::int64_t a, std::int64_t b) noexcept {
  return a / b - (a % b < 0 ? 1 : 0);  // b > 0
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
    auto const half_second = detail::floor_divide(now.time_since_epoch().count(), 500'000'000);
    if (half_second <= half_second_) return;
    auto const sample = static_cast<double>(count_) / (static_cast<double>(half_second - half_second_) / 2);
    rate_ = sample * smooth + rate_ * (1 - smooth);
    count_ = 0;
    half_second_ = half_second;
  }

  [[nodiscard]] constexpr double rate() const noexcept { return rate_; }

 private:
  friend detail::kept_state<measured_rate>;
  std::int64_t half_second_ = 0;
  std::uint64_t count_ = 0;
  double rate_ = 0;
};

}  // namespace anew::inline ANEW_ABI

#endif
