// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_GATE_INTERNAL_PACKED_TIME_HPP
#define ANEW_POLICIES_GATE_INTERNAL_PACKED_TIME_HPP

#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"

/// A point in time in 44 bits of a word, which leaves room for the data that must change together with it.
namespace anew::inline ANEW_ABI::detail {

inline constexpr unsigned packed_time_bits = 44;

/// Milliseconds since 278 years before the clock's epoch, so that every clock's epoch has room on both sides.
/// Rounds up: the packed time is never earlier. Saturates at both ends; 0 is before every other time.
constexpr std::uint64_t pack_time(time_point t) noexcept {
  constexpr std::int64_t half = std::int64_t{1} << (packed_time_bits - 1);
  auto const ticks = t.time_since_epoch().count();
  auto const up = ticks / 1'000'000 + (ticks % 1'000'000 > 0 ? 1 : 0);
  return static_cast<std::uint64_t>(detail::clamped<std::int64_t>(up, 1 - half, half - 1) + half);
}

/// The time that was packed. `time_point::min()` if the word never held a time.
constexpr time_point unpack_time(std::uint64_t packed) noexcept {
  constexpr std::int64_t half = std::int64_t{1} << (packed_time_bits - 1);
  if (packed == 0) return time_point::min();
  return time_point{duration{(static_cast<std::int64_t>(packed) - half) * 1'000'000}};
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
