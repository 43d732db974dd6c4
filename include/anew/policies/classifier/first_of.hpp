// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_CLASSIFIER_FIRST_OF_HPP
#define ANEW_POLICIES_CLASSIFIER_FIRST_OF_HPP

#include "anew/base/directive.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/classifier/internal/combination.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace combining {

struct first_answers {
  static constexpr char const* name = "first_of";
  static constexpr bool first_decides = true;
  static constexpr bool error(directive& result, directive const& verdict) { return (result = verdict, true); }
  static constexpr bool value(directive& result, directive const& verdict) { return (result = verdict, true); }
};

}  // namespace combining

/// The first of several classifiers that has an opinion on an outcome decides, whatever it says.
///
/// `first_of<retry_if<is_busy>, http::classifier<>>` retries the answers that the predicate calls busy, and reads all
/// others by their status: `retry_if` has no opinion on what its predicate is false for.
/// `first_of<retry_on<std::logic_error>, retry_all>` retries every exception, programming errors included, because the
/// first classifier decides before the second refuses. `first_of{retry_if{lambda}, retry_all{}}` takes classifiers with
/// state.
///
/// The type decides what a classifier reads: an exception of a type that it catches, or, where it reads
/// `unknown_exception`, any; an error value or a plain value that it takes. Each classifier is asked as if it were
/// composed alone, as in any_of. The clauses of all are one list, derived types before their bases.
///
/// Models: Classifier (empty if they are)
/// Formula: none
/// Requires: at least one classifier; together they catch at most eight types; none is hidden by those before it
/// Cost: that of the classifier that decides
/// Choose it for a rule with exceptions to it: the special ones first. Not to ask all of them: any_of.
/// Source: the order of catch clauses
template <class... Classifiers>
class first_of : public combining::combination<combining::first_answers, Classifiers...> {
  using base = combining::combination<combining::first_answers, Classifiers...>;

 public:
  using role = roles::classifier;
  constexpr first_of() = default;
  using base::base;
};

template <class... Classifiers>
first_of(Classifiers...) -> first_of<Classifiers...>;

}  // namespace anew::inline ANEW_ABI

#endif
