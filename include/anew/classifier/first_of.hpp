// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CLASSIFIER_FIRST_OF_HPP
#define ANEW_CLASSIFIER_FIRST_OF_HPP

#include <concepts>
#include <string>
#include <utility>

#include "anew/classifier/internal/combine.hpp"
#include "anew/concept/classifier.hpp"
#include "anew/concept/roles.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/directive.hpp"

namespace anew::inline ANEW_ABI {

/// The first of several classifiers that can read an outcome decides, whatever it says.
///
/// `first_of<retry_on<std::logic_error>, retry_all>` retries every exception, those of programmers' errors too, because
/// the first says so before the second refuses. `first_of{retry_if{lambda}, retry_all{}}` takes classifiers with state.
///
/// What can be read is a question of the type: an exception of a type that a classifier catches, or, where it reads
/// `unknown_exception`, any; an error value or a plain value that it takes. Each is asked as if it stood alone, as
/// any_of has it. The clauses of all are one list, derived types before their bases.
///
/// Models: Classifier (empty if they are)
/// Formula: none
/// Requires: one classifier at least; together they catch at most eight types
/// Cost: that of the one that decides
/// Choose it for a rule with exceptions to it: the special ones first. Not to hear all of them: any_of.
/// Source: the order of catch clauses
template <class... Classifiers>
class first_of {
 public:
  using role = roles::classifier;
  using catches = detail::merged_catches<Classifiers...>;

  constexpr first_of()
    requires(std::default_initializable<Classifiers> && ...)
  = default;
  constexpr explicit first_of(Classifiers... classifiers)
    requires(sizeof...(Classifiers) > 0)
      : members_{std::move(classifiers)...} {}

  template <class E>
    requires detail::ReadableByOneOf<E, catches, Classifiers...>
  [[nodiscard]] constexpr directive classify(E const& error) const {
    auto result = directive::fail();
    members_.until([&](auto const& c) {
      auto const verdict = detail::consult<catches>(c, error);
      if (verdict) result = *verdict;
      return verdict.has_value();
    });
    return result;
  }

  template <class R>
    requires(detail::ReadsResult<Classifiers, R> || ...)
  [[nodiscard]] constexpr directive classify_result(R const& value) const {
    auto result = directive::succeed();
    members_.until([&]<class C>(C const& c) {
      if constexpr (detail::ReadsResult<C, R>) result = c.classify_result(value);
      return detail::ReadsResult<C, R>;
    });
    return result;
  }

  template <class R>
  static constexpr bool reads_whole = (detail::ReadsWhole<Classifiers, R> || ...);

  [[nodiscard]] std::string describe() const { return detail::describe_combined<Classifiers...>("first_of", members_); }

  static constexpr bool is_sound = detail::can_be_combined<Classifiers...>;
  template <class Self>
  static consteval void explain() {
    if constexpr (!detail::there_is_one_at_least<Classifiers...>::value) {
      static_assert(detail::there_is_one_at_least<Classifiers...>::value,
                    "anew::first_of<Classifiers...> requires at least one classifier; the list is empty. Name the "
                    "classifiers to combine");
    } else if constexpr (!detail::every_one_is_a_classifier<Classifiers...>::value) {
      static_assert(detail::every_one_is_a_classifier<Classifiers...>::value,
                    "anew::first_of<Classifiers...> requires classifiers only; you passed another type. Did you mean "
                    "anew::retry_if<Predicate>?");
    } else if constexpr (detail::they_catch_at_most_eight_types<catches>::value) {
      detail::explain_first_unsound<Classifiers...>();
    } else {
      static_assert(detail::they_catch_at_most_eight_types<catches>::value,
                    "anew::first_of<Classifiers...> requires its classifiers to catch at most eight types of exception "
                    "together; these catch more. Name a common base instead");
    }
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::combined<Classifiers...> members_;
};

}  // namespace anew::inline ANEW_ABI

#endif
