// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_VALUE_INTERNAL_STORED_HPP
#define ANEW_VALUE_INTERNAL_STORED_HPP

#include <cstdint>
#include <limits>

#include "anew/platform/compiler.hpp"
#include "anew/value/duration.hpp"

namespace anew::inline ANEW_ABI {

/// As a template argument of a count: the value is given to the constructor.
inline constexpr std::int64_t run_time_count = std::numeric_limits<std::int64_t>::min();

namespace detail {

/// A policy's number: part of the type and without size, or a member when it is known at run time only.
/// `Index` differs for every member of every policy: two empty members of one type would not share an address, and a
/// strategy of equal numbers would not be of one byte.
template <static_duration Value, int Index>
struct stored_duration {
  [[nodiscard]] static constexpr duration get() noexcept { return Value.value(); }
};

template <int Index>
struct stored_duration<run_time, Index> {
  duration value;
  [[nodiscard]] constexpr duration get() const noexcept { return value; }
};

template <std::int64_t Value, int Index>
struct stored_count {
  [[nodiscard]] static constexpr std::uint32_t get() noexcept { return static_cast<std::uint32_t>(Value); }
};

template <int Index>
struct stored_count<run_time_count, Index> {
  std::uint32_t value;
  [[nodiscard]] constexpr std::uint32_t get() const noexcept { return value; }
};

template <std::int64_t Capacity>
struct capacity_fits_in_32_bits {
  static constexpr bool value = Capacity == run_time_count || (Capacity >= 0 && Capacity <= 4'294'967'295);
};

template <static_duration Value>
inline constexpr bool is_not_negative = Value == run_time || Value.nanoseconds >= 0;

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
