// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_CLASSIFIER_RETRY_INFO_ON_HPP
#define ANEW_POLICIES_CLASSIFIER_RETRY_INFO_ON_HPP

#include <string>
#include <type_traits>

#include "anew/base/directive.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/classifier/internal/combine.hpp"
#include "anew/policies/classifier/retry_info.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class... Es>
inline constexpr bool one_to_seven_types_are_named = sizeof...(Es) >= 1 && sizeof...(Es) <= 7;
template <class E>
inline constexpr bool exception_says_whether_to_retry =
    SaysWhetherToRetry<E> && std::is_same_v<E, std::remove_cvref_t<E>>;

template <class... Es>
inline constexpr bool are_heard = one_to_seven_types_are_named<Es...> && (exception_says_whether_to_retry<Es> && ...);

template <bool AreHeard, class... Es>
struct catches_of_retry_info_on : std::type_identity<catch_list<retry_info>> {};
template <class... Es>
struct catches_of_retry_info_on<true, Es...>
    : merge_catches<catch_list<>, catch_list<Es...>, catch_list<anew::retry_info>> {};

}  // namespace detail

/// Acts as `retry_info_classifier`, and also reads thrown types that say themselves whether to retry, but do not derive
/// from `anew::retry_info`: by their own `is_retry_safe()`, or by `anew::retry_traits`.
///
/// A catch clause names a type, so the types must be listed; an exception that derives from a listed type is read by
/// that type's functions. Errors that are returned need no listing.
///
/// Models: Classifier (empty)
/// Formula: none
/// Requires: one to seven types, each with `anew::retry_safety is_retry_safe() const` or a `retry_traits`
/// Cost: that of the catch clauses, after a failure only
/// Choose it for exceptions, yours or a library's, that say whether to retry. Not for exceptions that say nothing:
/// retry_on.
/// Source: Smithy "Retries" guide, `RetryInfo`
template <class... Exceptions>
struct retry_info_on {
  using role = roles::classifier;
  using catches = typename detail::catches_of_retry_info_on<detail::are_heard<Exceptions...>, Exceptions...>::type;

  [[nodiscard]] static constexpr directive classify(SaysWhetherToRetry auto const& error) {
    return retry_info_classifier::classify(error);
  }
  [[nodiscard]] static std::string describe() { return detail::written("retry_info_on", sizeof...(Exceptions)); }

  static constexpr bool is_sound = detail::are_heard<Exceptions...>;
  static consteval void explain() {
    if constexpr (!detail::one_to_seven_types_are_named<Exceptions...>) {
      static_assert(detail::one_to_seven_types_are_named<Exceptions...>,
                    "anew::retry_info_on<Exceptions...> requires one to seven exception types; anew::retry_info is the "
                    "eighth. Name a common base instead");
    } else {
      (explain_silent<Exceptions>(), ...);
    }
  }

 private:
  template <class E>
  static consteval void explain_silent() {
    static_assert(detail::exception_says_whether_to_retry<E>,
                  "anew::retry_info_on<Exceptions...> requires exceptions that say whether to retry; this type does "
                  "not. Add 'anew::retry_safety is_retry_safe() const', specialise anew::retry_traits<E> with "
                  "'static anew::retry_safety is_retry_safe(E const&)', or compose anew::retry_on<E>");
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
