// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_CLASSIFIER_NOT_HPP
#define ANEW_POLICIES_CLASSIFIER_NOT_HPP

#include <concepts>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "anew/base/directive.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/classifier/internal/combination.hpp"
#include "anew/policies/classifier/internal/combine.hpp"
#include "anew/policies/classifier/retry_info.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// A classifier that catches a base of `std::logic_error`, or every exception, catches `std::logic_error` too, and must
/// leave it final.
template <class C, class Catches = typename catches_of<C>::type>
struct catches_apart_from_logic_errors : std::type_identity<Catches> {};
template <class C, class... Es>
  requires ClassifierOf<C, unknown_exception> || (is_caught_by<std::logic_error, Es> || ...)
struct catches_apart_from_logic_errors<C, catch_list<Es...>>
    : insert_clause<std::logic_error, catch_list<>, catch_list<Es...>> {};

}  // namespace detail

/// Inverts a classifier: an error that it would retry is final, and a final error is retried, as is one on which it has no
/// opinion; a success stays a success, and an unread error stays unread.
///
/// `not_<retry_if<is_permanent>>` retries, as transient, every error that the predicate does not call permanent; a hint
/// of the error is obeyed. It reads only what the classifier reads, so an exception that the classifier does not catch
/// stays final: "every exception but these" is `first_of<not_<retry_on<these>>, retry_all>`. A `std::logic_error` stays
/// final too.
///
/// Models: Classifier (empty if the other is)
/// Formula: none
/// Requires: a classifier
/// Cost: that of the other
/// Choose it where the list of final errors is shorter. Not around http_status_classifier or error_code_classifier:
/// most errors that they do not retry are really final.
/// Source: the negation of predicates, as tenacity's `retry_if_not_exception_type`
template <class C>
class not_ : public combining::around<C> {  // NOLINT(readability-identifier-naming): the word itself is taken
 public:
  using role = roles::classifier;
  constexpr not_() = default;
  using combining::around<C>::around;
  using catches = typename detail::catches_apart_from_logic_errors<C>::type;

  template <class E>
    requires detail::ReadableByOneOf<E, catches, C>
  [[nodiscard]] constexpr directive classify(E const& error) const {
    auto const verdict = detail::consult<catches>(this->classifier_.get(), error).value_or(directive::fail());
    if (verdict.is_failure() && std::derived_from<E, std::logic_error>) return directive::fail();
    return contrary(verdict, error);
  }

  template <class R>
    requires detail::ReadsResult<C, R>
  [[nodiscard]] constexpr directive classify_result(R const& value) const {
    directive const verdict = this->classifier_.get().classify_result(value);
    return verdict.is_no_opinion() ? verdict : contrary(verdict, value);
  }

  [[nodiscard]] std::string describe() const { return this->describe_as("not"); }

 private:
  template <class E>
  static constexpr directive contrary(directive const& verdict, E const& error) {
    if (verdict.is_retry()) return directive::fail();
    if (verdict.is_success() || verdict == directive::unclassified()) return verdict;
    return detail::retry_as_transient(error);
  }
};

template <class C>
not_(C) -> not_<C>;
template <class C>
not_(not_<C>) -> not_<not_<C>>;  // not a copy

}  // namespace anew::inline ANEW_ABI

#endif
