// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_INTERNAL_PARAMETER_HPP
#define ANEW_BASE_INTERNAL_PARAMETER_HPP

#include <cstdint>
#include <type_traits>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/rational.hpp"
#include "anew/base/run_time.hpp"

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

template <class Member, class Class>
std::type_identity<Class> class_of(Member Class::*);
template <class R>
void class_of(R (*)());  // of a static function, which does not say

/// True where `P` itself declares `run_time_form()`. An inherited one would decide without what `P` overrides.
template <class P>
concept DeclaresRunTimeForm =
    requires { requires std::is_same_v<decltype(detail::class_of(&P::run_time_form)), std::type_identity<P>>; };

/// The policy `self` with its numbers as values of `To`; `self` where they are values already.
template <class To, class Self, class... Values>
constexpr To run_time_form_as(Self const& self, [[maybe_unused]] Values const&... values) noexcept {
  if constexpr (std::is_same_v<To, Self>) {
    return self;
  } else {
    return To{values...};
  }
}

// Requirements that policies share. Compilers print the condition with its values.
template <static_duration... Values>
inline constexpr bool is_above_zero = ((Values == run_time || Values.nanoseconds > 0) && ...);
template <static_duration Value>
inline constexpr bool is_not_negative = Value == run_time || Value.nanoseconds >= 0;
template <std::int64_t Count, std::int64_t Least, std::int64_t Most = 4'294'967'295>
inline constexpr bool is_within = Count == run_time_count || (Least <= Count && Count <= Most);
template <rational Value>
inline constexpr bool is_a_share = !is_known<Value> || (Value.den > 0 && Value.num <= Value.den);

}  // namespace anew::inline ANEW_ABI::detail

#endif
