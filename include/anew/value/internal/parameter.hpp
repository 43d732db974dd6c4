// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_VALUE_INTERNAL_PARAMETER_HPP
#define ANEW_VALUE_INTERNAL_PARAMETER_HPP

#include <cstdint>
#include <type_traits>

#include "anew/platform/compiler.hpp"
#include "anew/value/at_run_time.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/run_time.hpp"
#include "anew/value/run_time_count.hpp"

namespace anew::inline ANEW_ABI::detail {

// Converts a template argument to the value that the policy computes with.
constexpr duration read_argument(static_duration value) noexcept { return value.value(); }
constexpr std::uint32_t read_argument(std::int64_t value) noexcept { return static_cast<std::uint32_t>(value); }
template <class T>
constexpr T read_argument(T value) noexcept {
  return value;
}

template <auto Value>
inline constexpr bool is_known = !(Value == at_run_time<std::remove_const_t<decltype(Value)>>);

/// A policy's number: part of the type and without size, or a member where `IsKnown` is false. `Owner` is the policy's own
/// type and `N` tells its numbers apart: two empty members of one type would not share an address, and a strategy of
/// equal numbers would not be of one byte.
template <auto Value, class Owner, int N = 0, bool IsKnown = is_known<Value>>
class parameter {
 public:
  [[nodiscard]] static constexpr auto get() noexcept { return detail::read_argument(Value); }
};
template <auto Value, class Owner, int N>
class parameter<Value, Owner, N, false> {
  using type = decltype(detail::read_argument(Value));
  type value_;

 public:
  constexpr explicit parameter(type value) noexcept : value_{value} {}
  [[nodiscard]] constexpr type get() const noexcept { return value_; }
};

template <std::int64_t Capacity>
struct capacity_fits_in_32_bits {
  static constexpr bool value = Capacity == run_time_count || (Capacity >= 0 && Capacity <= 4'294'967'295);
};

template <static_duration Value>
inline constexpr bool is_not_negative = Value == run_time || Value.nanoseconds >= 0;

}  // namespace anew::inline ANEW_ABI::detail

#endif
