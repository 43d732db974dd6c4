// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_VALUE_INTERNAL_PARAMETER_HPP
#define ANEW_VALUE_INTERNAL_PARAMETER_HPP

#include <concepts>
#include <cstdint>

#include "anew/platform/compiler.hpp"
#include "anew/value/at_run_time.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/run_time.hpp"
#include "anew/value/run_time_count.hpp"

namespace anew::inline ANEW_ABI::detail {

// What a policy computes with, made from its template argument.
constexpr duration read_argument(static_duration value) noexcept { return value.value(); }
constexpr std::uint32_t read_argument(std::int64_t value) noexcept { return static_cast<std::uint32_t>(value); }
template <class T>
constexpr T read_argument(T value) noexcept {
  return value;
}

template <class T>
consteval bool is_not_at_run_time(T value) noexcept {
  if constexpr (std::same_as<decltype(at_run_time<T>), T const>) return !(value == at_run_time<T>);
  return true;
}
template <auto Value>
inline constexpr bool is_known = detail::is_not_at_run_time(Value);

/// A number that a policy is given when it is constructed.
template <class T, class Owner, int N = 0>
class run_time_parameter {
 public:
  constexpr explicit run_time_parameter(T value) noexcept : value_{value} {}
  [[nodiscard]] constexpr T get() const noexcept { return value_; }

 private:
  T value_;
};

/// A policy's number: part of the type and without size, or a member where `IsKnown` is false. `Owner` is the policy's own
/// type and `N` tells its numbers apart: two empty members of one type would not share an address, and a strategy of
/// equal numbers would not be of one byte.
template <auto Value, class Owner, int N = 0, bool IsKnown = is_known<Value>>
class parameter {
 public:
  [[nodiscard]] static constexpr auto get() noexcept { return detail::read_argument(Value); }
};
template <auto Value, class Owner, int N>
class parameter<Value, Owner, N, false>
    : public run_time_parameter<decltype(detail::read_argument(Value)), Owner, N> {
 public:
  using parameter::run_time_parameter::run_time_parameter;
};

template <std::int64_t Capacity>
struct capacity_fits_in_32_bits {
  static constexpr bool value = Capacity == run_time_count || (Capacity >= 0 && Capacity <= 4'294'967'295);
};

template <static_duration Value>
inline constexpr bool is_not_negative = Value == run_time || Value.nanoseconds >= 0;

}  // namespace anew::inline ANEW_ABI::detail

#endif
