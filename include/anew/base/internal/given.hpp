// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_INTERNAL_GIVEN_HPP
#define ANEW_BASE_INTERNAL_GIVEN_HPP

#include <chrono>
#include <concepts>
#include <cstdint>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"

/// The values that a policy's constructor takes, and the check of what it requires of them.
namespace anew::inline ANEW_ABI::detail {

/// Throws `std::invalid_argument` unless the requirement holds: "anew::POLICY: REQUIREMENT, but is VALUES".
template <class... Values>
constexpr void require(bool holds, char const* policy, char const* requirement, Values const&... values) {
  if (!holds) detail::invalid_argument(policy, requirement, (std::string{} + ... + detail::to_text(values)));
}

/// A duration of any unit; saturates. A constructor that takes it needs no template parameters.
class any_duration {
 public:
  template <class Rep, class Period>
  constexpr any_duration(std::chrono::duration<Rep, Period> given) noexcept  // NOLINT(*-explicit-*)
      : value_{detail::saturate(given)} {}
  constexpr operator duration() const noexcept { return value_; }  // NOLINT(*-explicit-*)

  // Both throw `std::invalid_argument` where the requirement fails.
  constexpr duration above_zero(char const* policy, char const* requirement) const {
    detail::require(value_ > duration::zero(), policy, requirement, value_);
    return value_;
  }
  constexpr duration not_negative(char const* policy, char const* requirement) const {
    detail::require(value_ >= duration::zero(), policy, requirement, value_);
    return value_;
  }

 private:
  duration value_;
};

/// A whole number of any type.
class any_count {
 public:
  template <std::integral Int>
    requires(!std::same_as<Int, bool>)
  constexpr any_count(Int given) noexcept  // NOLINT(*-explicit-*)
      : bits_{static_cast<std::uint64_t>(given)}, is_negative_{given < Int{}} {}

  /// Throws `std::invalid_argument` where it is below `least` or above `most`; the message ends with the notes.
  template <class... Notes>
  constexpr std::uint32_t within(std::uint64_t least, std::uint64_t most, char const* policy, char const* requirement,
                                 Notes const&... notes) const {
    detail::require(!is_negative_ && least <= bits_ && bits_ <= most, policy, requirement, *this, notes...);
    return static_cast<std::uint32_t>(bits_);
  }
  [[nodiscard]] std::string describe() const {
    return is_negative_ ? std::to_string(static_cast<std::int64_t>(bits_)) : std::to_string(bits_);
  }

 private:
  std::uint64_t bits_;
  bool is_negative_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
