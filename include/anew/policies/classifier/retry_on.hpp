// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_CLASSIFIER_RETRY_ON_HPP
#define ANEW_POLICIES_CLASSIFIER_RETRY_ON_HPP

#include <stdexcept>
#include <string>
#include <type_traits>

#include "anew/base/directive.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/classifier/retry_info.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <unsigned Count>
inline constexpr bool exception_types_are_one_to_eight = Count >= 1 && Count <= 8;

/// A type that a catch clause can name, and that is thrown by value: `retry_on<E&>` means `retry_on<E>`, and pointers
/// to objects are not thrown.
template <class E>
inline constexpr bool is_an_exception_type = std::is_same_v<E, std::decay_t<E>> && !std::is_void_v<E> &&
                                             !(std::is_pointer_v<E> && std::is_class_v<std::remove_pointer_t<E>>);

template <class... Es>
concept ExceptionTypes = (is_an_exception_type<Es> && ...);

/// A clause for `std::logic_error` before the first named base of it, unless it is named, or what derives from it.
template <class... Es>
struct catches_of_retry_on : std::type_identity<catch_list<>> {};  // explained below
template <class... Es>
  requires ExceptionTypes<Es...>
struct catches_of_retry_on<Es...> : std::type_identity<catch_list<Es...>> {};
template <class... Es>
  requires ExceptionTypes<Es...> &&
           ((is_caught_by<std::logic_error, Es> || ...) && !(is_caught_by<Es, std::logic_error> || ...))
struct catches_of_retry_on<Es...> : insert_clause<std::logic_error, catch_list<>, catch_list<Es...>> {};

}  // namespace detail

/// Retries exceptions of the named types and of types derived from them, by catch clauses in that order; every other
/// exception is final and propagates.
///
/// An exception that says whether it may be retried (`RetryInfo`, `retry_traits`) decides for itself; any other
/// exception counts as transient, and the operation may run again after it, because you named it: for one with side effects
/// wrap it in idempotent_only. A programming error would recur, so `retry_on<std::exception>` does not retry
/// `std::logic_error` and its derived types. Name such a type to have it retried.
///
/// Models: Classifier (empty)
/// Formula: none
/// Requires: one to eight types, a derived one before its base; the clause for `std::logic_error` counts
/// Cost: that of hand-written catch clauses; nothing is thrown twice
/// Choose it for operations that throw. Not for a rule on the exception's content: retry_if.
/// Source: catch clauses; p-retry refuses TypeError in the same way
template <class... Exceptions>
struct retry_on {
  using role = roles::classifier;
  using catches = typename detail::catches_of_retry_on<Exceptions...>::type;
  static constexpr bool has_an_opinion = true;
  using reads_only = catches;

  template <class E>
    requires detail::is_listed<E, catches>
  [[nodiscard]] static constexpr directive classify(E const& error) {
    if constexpr (!detail::is_listed<E, catch_list<Exceptions...>>) return directive::fail();
    if constexpr (SaysWhetherToRetry<E>) return retry_info_classifier::classify(error);
    return directive::retry(error_kind::transient);
  }
  [[nodiscard]] static std::string describe() { return detail::written("retry_on", sizeof...(Exceptions)); }

  static constexpr bool is_sound =
      detail::ExceptionTypes<Exceptions...> && detail::exception_types_are_one_to_eight<catches::size>;
  static consteval void explain() {
    if constexpr (!detail::ExceptionTypes<Exceptions...>) {
      (explain_type<Exceptions>(), ...);
    } else {
      static_assert(detail::exception_types_are_one_to_eight<catches::size>,
                    "anew::retry_on<Exceptions...> requires one to eight exception types; std::logic_error counts too "
                    "if you name one of its bases. Name a common base instead");
    }
  }

 private:
  template <class E>
  static consteval void explain_type() {
    static_assert(detail::is_an_exception_type<E>,
                  "anew::retry_on<Exceptions...> requires the types that are thrown; you named a const type, a "
                  "reference, or a pointer to a class, which catches nothing that is thrown by value. Name the class "
                  "itself");
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
