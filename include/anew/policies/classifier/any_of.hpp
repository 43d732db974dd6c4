// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_CLASSIFIER_ANY_OF_HPP
#define ANEW_POLICIES_CLASSIFIER_ANY_OF_HPP

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

struct first_answers {
  static constexpr char const* name = "first_of";
  static constexpr bool first_decides = true;
  static constexpr bool error(directive& result, directive const& verdict) { return (result = verdict, true); }
  static constexpr bool value(directive& result, directive const& verdict) { return (result = verdict, true); }
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
/// Requires: at least one classifier; together they catch at most eight types; none that declares what it reads is
/// hidden by those before it
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
  static constexpr directive contrary(directive const& verdict, auto const& error) {
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
