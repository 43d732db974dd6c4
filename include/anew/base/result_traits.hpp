// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_RESULT_TRAITS_HPP
#define ANEW_BASE_RESULT_TRAITS_HPP

#include <concepts>
#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

#include "anew/base/internal/failure_members.hpp"
#include "anew/base/internal/not_yet.hpp"
#include "anew/base/platform/compiler.hpp"

/// Reads the result of an operation: whether it is a success, and which error it carries. It goes by shape, so that
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
/// | plain: unsigned and floating-point numbers, texts, containers, classes that say nothing of failure | always | none; exceptions |
/// | unread: what may mean a failure, and does not say whether it does | the classifier says | does not compile where it says nothing |
/// | not a result yet: awaitable, future, sender, callable | does not compile where the driver does not wait for it       |
///
/// Mute are signed integers (which are values where the classifier names exceptions), enumerations, variants, pairs and
/// tuples with an error in them, classes with a member like `status` or `ok()`, and pointers and what else converts to
/// bool. For these compose a classifier that reads them, specialise `result_traits<R>`, or write
/// `throws_only(operation)`.
namespace anew::inline ANEW_ABI {

/// Specialise it to read a result whose shape says nothing; it takes precedence over the shape:
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

/// JSON values, whose conversion to bool says nothing about a failure.
template <class R>
concept ConvertsToAnything =
    std::is_class_v<R> && std::convertible_to<R const&, bool> && std::convertible_to<R const&, std::string>;

/// A number that may be a count, or an error such as -1. Characters are not numbers here.
template <class R>
concept SignedNumber = std::signed_integral<R> && !std::same_as<R, char> && !std::same_as<R, wchar_t>;

/// A type that is an error wherever it occurs.
template <class E>
concept AnError = ErrorCodeLike<E> || ErrorEnum<E> || std::same_as<E, std::exception_ptr> ||
                  std::is_base_of_v<std::exception, E> || requires(E const& e) { e.is_retry_safe(); };

template <class R>
inline constexpr bool holds_an_error = false;
template <template <class...> class Variant, class... Ts>
  requires requires(Variant<Ts...> const& v) {
    v.index();
    v.valueless_by_exception();
  }
inline constexpr bool holds_an_error<Variant<Ts...>> = (AnError<Ts> || ...);

/// A pair or a tuple with a bool or an error in it, which may say whether the rest is valid.
template <class R>
inline constexpr bool has_an_error_element = false;
template <template <class...> class Tuple, class First, class... Rest>
  requires(std::tuple_size<Tuple<First, Rest...>>::value == 1 + sizeof...(Rest))
inline constexpr bool has_an_error_element<Tuple<First, Rest...>> =
    AnError<std::remove_cvref_t<First>> || std::same_as<std::remove_cvref_t<First>, bool> ||
    (AnError<std::remove_cvref_t<Rest>> || ...) ||
    (sizeof...(Rest) == 1 && (std::same_as<std::remove_cvref_t<Rest>, bool> || ...));

/// A type that cannot report a failure: it has no such member, and does not convert to bool.
template <class R>
concept PlainValue = std::is_void_v<R> || (std::is_arithmetic_v<R> && !std::same_as<R, bool>) || std::is_union_v<R> ||
                     (std::is_class_v<R> && !std::constructible_from<bool, R const&>);

enum class shape : unsigned char {
  traited,
  plain,
  expected,
  error_code,
  error_enum,
  optional,
  boolean,
  number,        // unread: a signed integer
  enumeration,   // unread
  alternatives,  // unread: a variant of which one is an error
  elements,      // unread: a pair or a tuple with an error, or a bool, in it
  member,        // unread: a class with a member that may report a failure
  unreadable,    // unread: pointers, and what else converts to bool
  pending,       // awaited, or asked for later
  callable,      // started later
};

template <class R>
consteval shape shape_of() {
  if constexpr (TraitedResult<R>) {
    return shape::traited;
  } else if constexpr (TraitedPlain<R> || std::same_as<R, void_result>) {
    return shape::plain;
  } else if constexpr (ExpectedLike<R> && !HoldsPending<R>) {
    return shape::expected;  // some expected types can be awaited too, for an early return
  } else if constexpr (Pending<R>) {
    return shape::pending;
  } else if constexpr (ConvertsToAnything<R>) {
    return shape::plain;
  } else if constexpr (ErrorCodeLike<R>) {
    return shape::error_code;
  } else if constexpr (ErrorEnum<R>) {
    return shape::error_enum;
  } else if constexpr (is_optional<R>) {
    return shape::optional;
  } else if constexpr (std::same_as<R, bool>) {
    return shape::boolean;
  } else if constexpr (SignedNumber<R>) {
    return shape::number;
  } else if constexpr (std::is_enum_v<R>) {
    return std::same_as<R, std::byte> ? shape::plain : shape::enumeration;
  } else if constexpr (holds_an_error<R>) {
    return shape::alternatives;
  } else if constexpr (has_an_error_element<R>) {
    return shape::elements;
  } else if constexpr (IsCallable<R>) {
    return shape::callable;
  } else if constexpr (telling_member<R>() != telling::nothing) {
    return shape::member;
  } else if constexpr (PlainValue<R>) {
    return shape::plain;
  } else {
    return shape::unreadable;
  }
}

template <class R>
constexpr bool is_success(R const& r) noexcept {
  constexpr auto how = shape_of<R>();
  if constexpr (how == shape::traited) return result_traits<R>::is_success(r);
  if constexpr (how == shape::expected || how == shape::optional) return static_cast<bool>(r.has_value());
  if constexpr (how == shape::error_code) return !static_cast<bool>(r);
  if constexpr (how == shape::error_enum) return r == R{};
  if constexpr (how == shape::boolean) return r;
  return true;
}

/// The error that a failed result carries.
template <class R>
constexpr decltype(auto) error_of(R const& r) {
  constexpr auto how = shape_of<R>();
  if constexpr (how == shape::traited) return result_traits<R>::error(r);
  if constexpr (how == shape::expected) return r.error();
  if constexpr (how == shape::error_code || how == shape::error_enum) return (r);
  if constexpr (how == shape::optional) return std::nullopt;
  if constexpr (how == shape::boolean) return std::false_type{};
}

/// False for a pending result: the operation has only been started.
template <class R>
inline constexpr bool is_there = shape_of<R>() != shape::pending && shape_of<R>() != shape::callable;

/// True for a result that may mean a failure, but does not say so by its shape.
template <class R>
inline constexpr bool is_mute = is_there<R> && shape_of<R>() >= shape::number;

/// True for a result whose shape says whether it failed, and by which error.
template <class R>
inline constexpr bool carries_error = shape_of<R>() != shape::plain && is_there<R> && !is_mute<R>;

template <class R>
using error_type = std::remove_cvref_t<decltype(error_of(std::declval<R const&>()))>;

}  // namespace detail

/// A result whose success and error anew reads by itself. The result of your operation models it, or the classifier
/// reads the result.
template <class R>
concept ReadableResult = detail::is_there<std::remove_cvref_t<R>> && !detail::is_mute<std::remove_cvref_t<R>>;

}  // namespace anew::inline ANEW_ABI

#endif
