// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_OUTCOME_HPP
#define ANEW_OUTCOME_HPP

#include <concepts>
#include <optional>
#include <system_error>
#include <type_traits>
#include <utility>

#include "anew/config.hpp"
#include "anew/detail/not_yet.hpp"

/// How the result of an operation is read: whether it is a success, and which error it carries. By shape, so that
/// `std::expected`, `tl::expected` and Boost.Outcome are read without being included.
///
/// | result                            | success when          | error                                    |
/// |-----------------------------------|-----------------------|------------------------------------------|
/// | `result_traits<R>` is specialised | `is_success(r)`       | `error(r)`                               |
/// | `void`                            | always                | none; exceptions                         |
/// | `has_value()` and `error()`       | `has_value()`         | `error()`                                |
/// | error code: `value()`, `category()` | it is false         | itself                                   |
/// | `std::errc`, an error code enum   | it is zero            | itself                                   |
/// | `std::optional<T>`                | `has_value()`         | `std::nullopt`                           |
/// | `bool`                            | true                  | `std::false_type`                        |
/// | plain: no conversion to bool, no `error()`, no `ok()` | always | none; exceptions                    |
/// | not a result yet: awaitable, future, sender, callable | does not compile where nobody waits for it       |
/// | anything else (pointers, `ok()`, …) | unreadable: say it with `result_traits`                          |
namespace anew::inline ANEW_ABI {

/// Says how to read a result that is not read by shape, and wins over the shape:
///
///     template <> struct anew::result_traits<my_status> {
///       static bool is_success(my_status const& s) noexcept { return s.ok(); }
///       static my_status const& error(my_status const& s) noexcept { return s; }
///     };
///
/// `is_success` is called on the path of every call and must not throw. For a type whose values are all successes,
/// derive from `anew::plain_result`.
template <class R>
struct result_traits {};

/// `template <class T> struct anew::result_traits<std::unique_ptr<T>> : anew::plain_result {};`
/// says that such a result is a success whatever its value: failures are exceptions.
struct plain_result {
  static constexpr bool is_plain = true;
};

namespace detail {

/// The result of an operation that returns `void`.
struct void_result {};

template <class R>
concept TraitedResult = requires(R const& r) {
  { result_traits<R>::is_success(r) } -> std::same_as<bool>;
  result_traits<R>::error(r);
};

template <class R>
concept TraitedPlain = requires { requires result_traits<R>::is_plain; };

template <class R>
concept ExpectedLike = requires(R const& r) {
  { r.has_value() } -> std::convertible_to<bool>;
  r.error();
};

template <class R>
concept ErrorCodeLike = requires(R const& r) {
  static_cast<bool>(r);
  r.category();
  { r.value() } -> std::same_as<int>;
};

template <class R>
concept ErrorEnum = std::is_enum_v<R> && (std::is_error_code_enum<R>::value || std::is_error_condition_enum<R>::value);

template <class R>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

/// A value about whose success nobody can be in doubt.
template <class R>
concept PlainValue = std::is_void_v<R> || std::same_as<R, void_result> ||
                     (std::is_arithmetic_v<R> && !std::same_as<R, bool>) || std::is_enum_v<R> ||
                     (std::is_class_v<R> && !std::constructible_from<bool, R const&> &&
                      !requires(R const& r) { r.error(); } && !requires(R const& r) { r.ok(); } &&
                      !requires(R const& r) { r.has_value(); }) ||
                     std::is_union_v<R>;

enum class shape : unsigned char {
  traited,
  plain,
  expected,
  error_code,
  error_enum,
  optional,
  boolean,
  pending,   // awaited, or asked for later
  callable,  // started later
  unreadable
};

template <class R>
consteval shape shape_of() {
  if constexpr (TraitedResult<R>) {
    return shape::traited;
  } else if constexpr (TraitedPlain<R>) {
    return shape::plain;
  } else if constexpr (ExpectedLike<R>) {
    return shape::expected;  // some can be awaited too, for an early return
  } else if constexpr (Pending<R>) {
    return shape::pending;
  } else if constexpr (ErrorCodeLike<R>) {
    return shape::error_code;
  } else if constexpr (ErrorEnum<R>) {
    return shape::error_enum;
  } else if constexpr (is_optional<R>) {
    return shape::optional;
  } else if constexpr (std::same_as<R, bool>) {
    return shape::boolean;
  } else if constexpr (IsCallable<R>) {
    return shape::callable;
  } else if constexpr (PlainValue<R>) {
    return shape::plain;
  } else {
    return shape::unreadable;
  }
}

template <class R>
constexpr bool is_success(R const& r) noexcept {
  constexpr auto how = shape_of<R>();
  if constexpr (how == shape::traited) {
    return result_traits<R>::is_success(r);
  } else if constexpr (how == shape::expected || how == shape::optional) {
    return static_cast<bool>(r.has_value());
  } else if constexpr (how == shape::error_code) {
    return !static_cast<bool>(r);
  } else if constexpr (how == shape::error_enum) {
    return r == R{};
  } else if constexpr (how == shape::boolean) {
    return r;
  } else {
    return true;
  }
}

/// The error that a failed result carries.
template <class R>
constexpr decltype(auto) error_of(R const& r) {
  constexpr auto how = shape_of<R>();
  if constexpr (how == shape::traited) {
    return result_traits<R>::error(r);
  } else if constexpr (how == shape::expected) {
    return r.error();
  } else if constexpr (how == shape::error_code || how == shape::error_enum) {
    return (r);
  } else if constexpr (how == shape::optional) {
    return std::nullopt;
  } else if constexpr (how == shape::boolean) {
    return std::false_type{};
  }
}

/// False for a result that is not there yet: the operation has only been begun.
template <class R>
inline constexpr bool is_there = shape_of<R>() != shape::pending && shape_of<R>() != shape::callable;

/// False for a result that is a success whenever it is there at all: its operation fails by exceptions only.
template <class R>
inline constexpr bool carries_error = shape_of<R>() != shape::plain && is_there<R>;

template <class R>
using error_type = std::remove_cvref_t<decltype(error_of(std::declval<R const&>()))>;

}  // namespace detail

/// A result whose success and error anew can tell. What an operation of yours returns must model it.
template <class R>
concept ReadableResult =
    detail::shape_of<std::remove_cvref_t<R>>() != detail::shape::unreadable && detail::is_there<std::remove_cvref_t<R>>;

}  // namespace anew::inline ANEW_ABI

#endif
