// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_CLASSIFIER_ANY_OF_HPP
#define ANEW_POLICIES_CLASSIFIER_ANY_OF_HPP

#include "anew/base/directive.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/classifier/internal/combination.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace combining {

struct any_says_retry {
  static constexpr char const* name = "any_of";
  static constexpr bool first_decides = false;
  static constexpr bool error(directive& result, directive const& verdict) {
    if (!verdict.is_failure() || result.is_failure()) result = verdict;
    return result.is_retry();
  }
  static constexpr bool value(directive& result, directive const& verdict) {
    if (!verdict.is_success() || result.is_no_opinion()) result = verdict;
    return result.is_retry();
  }
};

}  // namespace combining

/// Retries if any of several classifiers that can read an outcome would retry.
///
/// `any_of<http_status_classifier<>, error_code_classifier>`; `any_of{retry_if{lambda}, retry_all{}}` takes classifiers
/// with state. They are asked in that order; the first that says retry gives the kind, the safety and the hint, and the
/// others are not asked. If no classifier would retry, an error is a success if one of them says so, and a plain value
/// only if all that have an opinion say so: a classifier that does not understand an error calls it final, and a value a
/// success.
///
/// Each is asked as if it were composed alone: about an exception by the first of its own clauses that fits, be it one
/// for a base (or, where there is RTTI, for another base than the one by which it was caught), or as
/// `unknown_exception` if it reads that; about Boost's error code in that type if it reads it, else as a
/// `std::error_code`. A classifier that cannot read an error is not asked. The clauses of all are one list, derived types
/// before their bases.
///
/// Models: Classifier (empty if they are)
/// Formula: none
/// Requires: at least one classifier; together they catch at most eight types
/// Cost: that of the classifiers that are asked
/// Choose it where several sources of failure each have a rule. Not where one rule must overrule another: first_of.
/// Source: the disjunction of predicates, as tenacity's `retry_any`
template <class... Classifiers>
class any_of : public combining::combination<combining::any_says_retry, Classifiers...> {
  using base = combining::combination<combining::any_says_retry, Classifiers...>;

 public:
  using role = roles::classifier;
  constexpr any_of() = default;
  using base::base;
};

template <class... Classifiers>
any_of(Classifiers...) -> any_of<Classifiers...>;

}  // namespace anew::inline ANEW_ABI

#endif
