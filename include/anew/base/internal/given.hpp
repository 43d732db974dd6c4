// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_INTERNAL_GIVEN_HPP
#define ANEW_BASE_INTERNAL_GIVEN_HPP

#include <chrono>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

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

  [[nodiscard]] constexpr bool is_within(std::uint64_t least, std::uint64_t most) const noexcept {
    return !is_negative_ && least <= bits_ && bits_ <= most;
  }
  /// Its lower 32 bits.
  [[nodiscard]] constexpr std::uint32_t get() const noexcept { return static_cast<std::uint32_t>(bits_); }
  [[nodiscard]] std::string describe() const {
    return is_negative_ ? std::to_string(static_cast<std::int64_t>(bits_)) : std::to_string(bits_);
  }

 private:
  std::uint64_t bits_;
  bool is_negative_;
};

/// Says which requirement of a policy fails first: "anew::POLICY: REQUIREMENT, but is VALUES"; empty where all hold.
///
/// A policy whose values a text may give has a `static std::string fault_of(values...)`. Its constructor asks it, and so does the
/// reader of texts, which needs no exceptions for that.
class value_fault {
 public:
  constexpr explicit value_fault(char const* policy) noexcept : policy_{policy} {}
  constexpr value_fault(value_fault&& other) noexcept
      : policy_{other.policy_},
        text_{std::exchange(other.text_, nullptr)},
        asked_{other.asked_},
        broken_{other.broken_} {}
  value_fault(value_fault const&) = delete;
  value_fault& operator=(value_fault const&) = delete;
  value_fault& operator=(value_fault&&) = delete;
  constexpr ~value_fault() { delete text_; }

  template <class... Values>
  constexpr value_fault&& unless(bool holds, char const* requirement, Values const&... values) {
    if (breaks(holds)) keep(requirement, "", values...);
    return std::move(*this);
  }
  constexpr value_fault&& above_zero(duration value, char const* name) {
    if (breaks(value > duration::zero())) keep(name, " must be above zero", value);
    return std::move(*this);
  }
  constexpr value_fault&& not_negative(duration value, char const* name) {
    if (breaks(value >= duration::zero())) keep(name, " must not be negative", value);
    return std::move(*this);
  }
  constexpr value_fault&& within(any_count value, std::uint64_t least, std::uint64_t most, char const* name) {
    if (breaks(value.is_within(least, most))) keep_bounds(value, least, most, name);
    return std::move(*this);
  }
  constexpr explicit operator bool() const noexcept { return broken_ != 0; }
  /// The number of the first rule that is broken, from 1; 0 where none is.
  [[nodiscard]] constexpr unsigned broken_rule() const noexcept { return broken_; }
  operator std::string() const { return text_ != nullptr ? *text_ : std::string{}; }  // NOLINT(*-explicit-*)

 private:
  /// Whether to keep the text. A constant expression has no use for it, and could not make it with each library.
  constexpr bool breaks(bool holds) noexcept {
    ++asked_;
    if (holds || broken_ != 0) return false;
    broken_ = asked_;
    return !std::is_constant_evaluated();
  }
  template <class... Values>
  ANEW_COLD void keep(char const* name, char const* rule, Values const&... values) {
    auto const requirement = std::string{name} + rule;
    text_ = new std::string{
        detail::invalid_text(policy_, requirement.c_str(), (std::string{} + ... + detail::to_text(values)))};
  }
  ANEW_COLD void keep_bounds(any_count value, std::uint64_t least, std::uint64_t most, char const* name) {
    keep(name, (" must be between " + std::to_string(least) + " and " + std::to_string(most)).c_str(), value);
  }

  char const* policy_;
  std::string* text_ = nullptr;  // a std::string itself is no constant for clang with the library of g++ 12
  unsigned asked_ = 0;
  unsigned broken_ = 0;
};

/// Which rule the template arguments of a policy break: what `fault_of` says about values, asked of constants.
struct kept_rules {
  unsigned broken = 0;

  /// Nothing is known of arguments that come at run time.
  constexpr kept_rules(bool are_known, value_fault const& fault) noexcept
      : broken{are_known ? fault.broken_rule() : 0} {}
  constexpr operator bool() const noexcept { return broken == 0; }  // NOLINT(*-explicit-*)
};
template <class Policy, unsigned... Rules>
inline constexpr bool keeps_rule = ((Policy::is_sound.broken != Rules) && ...);

/// Throws `std::invalid_argument` with the fault, if there is one.
constexpr void require_none(value_fault const& fault) {
  if (fault) detail::throw_invalid_argument(fault);
}

/// The value, for a member of a constructor that throws so.
template <class Value>
constexpr Value checked(Value const& value, value_fault const& fault) {
  detail::require_none(fault);
  return value;
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
