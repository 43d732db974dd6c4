// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CLASSIFIER_RETRY_ON_HPP
#define ANEW_CLASSIFIER_RETRY_ON_HPP

#include <concepts>
#include <string>

#include "anew/concept/classifier.hpp"
#include "anew/directive.hpp"
#include "anew/failure.hpp"
#include "anew/roles.hpp"

namespace anew {

namespace detail {

template <unsigned Count>
struct exception_types_are_one_to_eight {
  static constexpr bool value = Count >= 1 && Count <= 8;
};

}  // namespace detail

/// Retries exceptions of the named types and of types derived from them, by catch clauses in that order; every other
/// exception is final and goes on its way.
///
/// An exception that says whether it may be retried (`RetryInfo`, `retry_traits`) is believed; the others count as
/// transient.
///
/// Models: Classifier (empty)      Requires: one to eight types, a derived one before its base
/// Cost: that of the catch clauses one would write by hand; nothing is thrown twice
/// Choose it for operations that throw. For a rule on the exception's content: retry_if.
template <class... Exceptions>
struct retry_on {
  using role = roles::classifier;
  using catches = catch_list<Exceptions...>;

  template <class E>
    requires(std::same_as<E, Exceptions> || ...)
  [[nodiscard]] static constexpr directive classify(E const& error) {
    if constexpr (SaysWhetherToRetry<E>) {
      auto const what = read_failure(error);
      return what.safety == retry_safety::no ? directive::fail() : directive::retry(what);
    } else {
      return directive::retry(error_kind::transient);
    }
  }
  [[nodiscard]] static std::string describe() {
    return std::string{"retry_on("}.append(std::to_string(sizeof...(Exceptions))).append(" types)");
  }

  static constexpr bool is_sound = detail::exception_types_are_one_to_eight<sizeof...(Exceptions)>::value;
  template <class Self>
  static consteval void explain() {
    static_assert(detail::exception_types_are_one_to_eight<sizeof...(Exceptions)>::value,
                  "anew::retry_on<Exceptions...> requires one to eight exception types. For more, name a common base");
  }
};

}  // namespace anew

#endif
