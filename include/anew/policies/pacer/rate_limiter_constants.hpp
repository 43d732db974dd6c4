// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_PACER_RATE_LIMITER_CONSTANTS_HPP
#define ANEW_POLICIES_PACER_RATE_LIMITER_CONSTANTS_HPP

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>

#include "anew/base/internal/given.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/base/run_time.hpp"

namespace anew::inline ANEW_ABI {

/// The treatment of an attempt that exceeds the current rate.
enum class when_limited : std::uint8_t {
  wait,       ///< it waits in a queue until its turn
  fail_fast,  ///< the call ends with `stop_reason::rate_limited`
};

/// The numbers of the client rate limiter. The defaults of the first five are the published ones, the same in every AWS
/// SDK; the last two bound its queue.
struct rate_limiter_constants {
  double beta = 0.7;           ///< share of the rate that remains after a throttled response
  double scale = 0.4;          ///< how fast the rate grows again
  double smooth = 0.8;         ///< share of the latest half seconds in the measured rate; the rest is the previous rate
  double min_fill_rate = 0.5;  ///< least number of attempts a second
  double min_capacity = 1;     ///< least number of attempts at once
  double longest_queue = std::numeric_limits<double>::infinity();  ///< most waiting attempts; one more is refused
  double longest_wait =
      std::numeric_limits<double>::infinity();  ///< seconds; an attempt that would wait longer in all is refused

  friend constexpr bool operator==(rate_limiter_constants const&, rate_limiter_constants const&) = default;
};

template <>
inline constexpr rate_limiter_constants at_run_time<rate_limiter_constants> =
    rate_limiter_constants{-1, -1, -1, -1, -1};

namespace detail {

inline constexpr double highest_rate = 1e12;
/// "0.7", "2", "0.000001": as few digits as are read back as the same value, but at most 18 decimals, as a text may have.
inline std::string decimal(double value) {
  char digits[400];
  auto* end = std::to_chars(std::begin(digits), std::end(digits), value, std::chars_format::fixed).ptr;
  auto const point = std::find(std::begin(digits), end, '.');
  if (end - point > 1 + 18) {
    end = std::to_chars(std::begin(digits), std::end(digits), value, std::chars_format::fixed, 18).ptr;
    while (end[-1] == '0') --end;
    if (end[-1] == '.') --end;
  }
  return {std::begin(digits), end};
}

// NaN fails each comparison.
constexpr value_fault fault_of(rate_limiter_constants const& c) {
  constexpr auto rate_is_sound = [](double rate) { return rate > 0 && rate <= highest_rate; };
  return detail::value_fault{"client_rate_limiter"}
      .unless(c.beta > 0 && c.beta < 1, "beta must be above 0 and below 1", c.beta)
      .unless(rate_is_sound(c.scale), "scale must be above 0 and at most 10^12", c.scale)
      .unless(c.smooth > 0 && c.smooth <= 1, "smooth must be above 0 and at most 1", c.smooth)
      .unless(rate_is_sound(c.min_fill_rate), "min_fill_rate must be above 0 and at most 10^12", c.min_fill_rate)
      .unless(c.min_capacity >= 1 && c.min_capacity <= highest_rate, "min_capacity must be between 1 and 10^12",
              c.min_capacity)
      .unless(c.longest_queue >= 1, "longest_queue must be at least 1", c.longest_queue)
      .unless(c.longest_wait > 0, "longest_wait must be above 0", c.longest_wait);
}

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
