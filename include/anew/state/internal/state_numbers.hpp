// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STATE_INTERNAL_STATE_NUMBERS_HPP
#define ANEW_STATE_INTERNAL_STATE_NUMBERS_HPP

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"

/// The numbers of a policy's state. Times are relative: a clock's epoch is another one after a restart.
namespace anew::inline ANEW_ABI::detail {

using state_numbers = std::vector<std::int64_t>;
using state_view = std::span<std::int64_t const>;

constexpr bool is_count(std::int64_t number, std::uint64_t most) noexcept {
  return number >= 0 && static_cast<std::uint64_t>(number) <= most;
}

/// `time_point::min()` means no time, and is not changed.
constexpr std::int64_t relative(time_point time, time_point now) noexcept {
  if (time == time_point::min()) return duration::min().count();
  return larger(saturating_subtract(time, now), duration::min() + duration{1}).count();
}
constexpr time_point absolute(std::int64_t relative, time_point now) noexcept {
  if (relative == duration::min().count()) return time_point::min();
  return larger(saturating_add(now, duration{relative}), time_point::min() + duration{1});
}

/// The bits of a floating-point number, which are the same after a restart to the last one.
constexpr std::int64_t bits_of(double value) noexcept { return std::bit_cast<std::int64_t>(value); }
constexpr double from_bits(std::int64_t bits) noexcept { return std::bit_cast<double>(bits); }
constexpr bool is_amount(double value) noexcept { return value >= 0 && value <= 1e300; }

}  // namespace anew::inline ANEW_ABI::detail

#endif
