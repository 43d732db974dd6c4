// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CLASSIFIER_ANY_OF_HPP
#define ANEW_CLASSIFIER_ANY_OF_HPP

#include <concepts>
#include <string>
#include <utility>

#include "anew/classifier/internal/combine.hpp"
#include "anew/concept/classifier.hpp"
#include "anew/concept/roles.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/directive.hpp"

namespace anew::inline ANEW_ABI {

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
class any_of {
 public:
  using role = roles::classifier;
  using catches = detail::merged_catches<Classifiers...>;

  constexpr any_of()
    requires(std::default_initializable<Classifiers> && ...)
  = default;
  constexpr explicit any_of(Classifiers... classifiers)
    requires(sizeof...(Classifiers) > 0)
      : members_{std::move(classifiers)...} {}

  template <class E>
    requires detail::ReadableByOneOf<E, catches, Classifiers...>
  [[nodiscard]] constexpr directive classify(E const& error) const {
    auto result = directive::unclassified();
    members_.until([&](auto const& c) {
      auto const verdict = detail::consult<catches>(c, error);
      bool const says_more = verdict && *verdict != directive::unclassified();
      if (says_more && (!verdict->is_failure() || result.is_failure())) result = *verdict;
      return result.is_retry();
    });
    return result;
  }

  template <class R>
    requires(detail::ReadsResult<Classifiers, R> || ...)
  [[nodiscard]] constexpr directive classify_result(R const& value) const {
    auto result = directive::succeed();
    members_.until([&]<class C>(C const& c) {
      if constexpr (detail::ReadsResult<C, R>) {
        auto const verdict = c.classify_result(value);
        if (!verdict.is_success()) result = verdict;
      }
      return result.is_retry();
    });
    return result;
  }

  template <class R>
  static constexpr bool reads_whole = (detail::ReadsWhole<Classifiers, R> || ...);

  [[nodiscard]] std::string describe() const { return detail::describe_combined<Classifiers...>("any_of", members_); }

  static constexpr bool is_sound = detail::can_be_combined<Classifiers...>;
  template <class Self>
  static consteval void explain() {
    if constexpr (!detail::there_is_one_at_least<Classifiers...>::value) {
      static_assert(detail::there_is_one_at_least<Classifiers...>::value,
                    "anew::any_of<Classifiers...> requires at least one classifier; the list is empty. Name the "
                    "classifiers to combine");
    } else if constexpr (!detail::every_one_is_a_classifier<Classifiers...>::value) {
      static_assert(detail::every_one_is_a_classifier<Classifiers...>::value,
                    "anew::any_of<Classifiers...> requires classifiers only; you passed another type. Did you mean "
                    "anew::retry_if<Predicate>?");
    } else if constexpr (detail::they_catch_at_most_eight_types<catches>::value) {
      detail::explain_first_unsound<Classifiers...>();
    } else {
      static_assert(detail::they_catch_at_most_eight_types<catches>::value,
                    "anew::any_of<Classifiers...> requires its classifiers to catch at most eight types of exception "
                    "together; these catch more. Name a common base instead");
    }
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::combined<Classifiers...> members_;
};

}  // namespace anew::inline ANEW_ABI

#endif
