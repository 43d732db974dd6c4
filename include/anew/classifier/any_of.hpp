// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CLASSIFIER_ANY_OF_HPP
#define ANEW_CLASSIFIER_ANY_OF_HPP

#include "anew/classifier/internal/combination.hpp"
#include "anew/concept/roles.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/directive.hpp"

namespace anew::inline ANEW_ABI {

namespace combining {

struct any_says_retry {
  static constexpr char const* name = "any_of";
  static constexpr bool first_decides = false;
  static constexpr bool error(directive& result, directive const& verdict) {
    bool const says_more = verdict != directive::unclassified();
    if (says_more && (!verdict.is_failure() || result.is_failure())) result = verdict;
    return result.is_retry();
  }
  static constexpr bool value(directive& result, directive const& verdict) {
    if (!verdict.is_success()) result = verdict;
    return result.is_retry();
  }
};

}  // namespace combining

/// Another attempt, if any of several classifiers that can read an outcome says so.
///
/// `any_of<http_status_classifier<>, error_code_classifier>`; `any_of{retry_if{lambda}, retry_all{}}` takes classifiers
/// with state. They are asked in that order; the first that says retry gives the kind, the safety and the hint, and the
/// others are not asked. Where none says so, an error is a success if one of them calls it one, and a plain value only if
/// all do that read it: to a classifier that knows nothing of them an error is final and a value is a success.
///
/// Each is asked as if it stood alone: about an exception by the first of its own clauses that fits, be it one for a base
/// (or, where there is RTTI, for another base than the one by which it was caught), or as `unknown_exception` if it reads
/// that. One that cannot read an error has no say. The clauses of all are one list, derived types before their bases.
///
/// Models: Classifier (empty if they are)
/// Formula: none
/// Requires: one classifier at least; together they catch at most eight types
/// Cost: that of those that are asked
/// Choose it where several sources of failure each have a rule. Not where one rule is to overrule another: first_of.
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
