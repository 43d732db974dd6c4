// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_VIRTUAL_ERROR_REF_HPP
#define ANEW_RUN_TIME_VIRTUAL_ERROR_REF_HPP

#include <concepts>
#include <exception>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#if defined(__cpp_rtti)
#include <typeinfo>
#endif

namespace anew::inline ANEW_ABI {

namespace detail {

#if !defined(__cpp_rtti)
/// Without RTTI a type is identified by the address of a variable, which libraries share if they share symbols.
template <class T>
ANEW_VISIBLE inline constexpr char address_of_type = 0;
#endif

}  // namespace detail

/// An error or a result of an operation, for a reader that does not know its type at compile time: a pointer to it, its
/// type, and what it says of itself. A `retry_strategy` reads it.
///
/// Types are compared as catch clauses compare them: by `std::type_info`, and without RTTI by an address. In a program of
/// several shared libraries docs/reference/abi.md says when one type is the same in two of them. A type that is not
/// recognised is an error that is reported, never another type.
///
/// Cost: five words; no allocation
class error_ref {
 public:
  template <class E>
    requires(!std::same_as<E, error_ref>)
  explicit error_ref(E const& of) noexcept : object_{__builtin_addressof(of)}, type_{id_of<E>()} {
    if constexpr (SaysWhetherToRetry<E>) {
      told_ = [](void const* object) { return read_failure(*static_cast<E const*>(object)); };
    }
    if constexpr (std::derived_from<E, std::exception>) exception_ = __builtin_addressof(of);
    is_logic_error_ = std::derived_from<E, std::logic_error>;
    look_ = look_of<E>;
  }
  explicit error_ref(auto const&&) = delete;  // it refers to what it is made of

  /// The object, if it is of exactly this type; else null.
  template <class E>
  [[nodiscard]] E const* as() const noexcept {
    return look_ == look_of<E> && is_same(type_, id_of<E>()) ? static_cast<E const*>(object_) : nullptr;
  }

  /// The error's own statement, if its type models RetryInfo or has `anew::retry_traits`.
  [[nodiscard]] std::optional<failure> told() const {
    if (told_ == nullptr) return std::nullopt;
    return told_(object_);
  }
  /// The object as an exception, if its type is derived from it; else null.
  [[nodiscard]] std::exception const* as_exception() const noexcept { return exception_; }
  /// True if its type is derived from `std::logic_error`: a programmer's error.
  [[nodiscard]] bool is_logic_error() const noexcept { return is_logic_error_; }

 private:
  /// Differs for most types, so that their names need not be compared.
  template <class E>
  static constexpr auto look_of =
      static_cast<unsigned>(sizeof(E) << 3U | (std::is_class_v<E> ? 4U : 0U) | (std::is_enum_v<E> ? 2U : 0U) |
                            (std::is_signed_v<E> ? 1U : 0U));

#if defined(__cpp_rtti)
  using type_id = std::type_info const*;
  template <class E>
  static type_id id_of() noexcept {
    return &typeid(E);
  }
  static bool is_same(type_id a, type_id b) noexcept { return *a == *b; }
#else
  using type_id = char const*;
  template <class E>
  static type_id id_of() noexcept {
    return &detail::address_of_type<E>;
  }
  static bool is_same(type_id a, type_id b) noexcept { return a == b; }
#endif

  void const* object_;
  type_id type_;
  failure (*told_)(void const* object) = nullptr;
  std::exception const* exception_ = nullptr;
  bool is_logic_error_ = false;
  unsigned look_ = 0;
};

}  // namespace anew::inline ANEW_ABI

#endif
