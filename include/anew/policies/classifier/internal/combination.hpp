// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_CLASSIFIER_INTERNAL_COMBINATION_HPP
#define ANEW_POLICIES_CLASSIFIER_INTERNAL_COMBINATION_HPP

#include <string>
#include <type_traits>
#include <utility>

#include "anew/base/directive.hpp"
#include "anew/base/internal/inner.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/policies/classifier/internal/combine.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/internal/several.hpp"

/// The bases of classifiers that combine others. Only they forward the optional members of a classifier.
namespace anew::inline ANEW_ABI::detail {

/// True when a member would misread a result of type `R` that it is asked about; where no member reads `R`, when all of
/// them refuse it, or one does and nothing else says whether it failed.
template <bool FirstDecides, class R, class... Cs>
inline constexpr bool some_member_refuses = [] {
  if constexpr ((ReadsResult<Cs, R> || ...)) {
    bool refuses = false;
    static_cast<void>(((ReadsResult<Cs, R> && ((refuses = RefusesResult<Cs, R>) || FirstDecides)) || ...));
    return refuses;
  } else {
    return (RefusesResult<Cs, R> || ...) &&
           ((RefusesResult<Cs, R> && ...) || (is_mute<R> && shape_of<R>() != shape::number));
  }
}();

/// The first member that refuses `R`, of those that read it if any does. A type, and not a function that looks for it,
/// because each call in between is three lines of the compiler's.
template <class R, bool IsRead, class C, class... Cs>
struct refusing_member : refusing_member<R, IsRead, Cs...> {};
template <class R, bool IsRead, class C, class... Cs>
  requires(RefusesResult<C, R> && IsRead == ReadsResult<C, R>)
struct refusing_member<R, IsRead, C, Cs...> : std::type_identity<C> {};

}  // namespace anew::inline ANEW_ABI::detail

/// Not in namespace detail: ADL on a strategy considers the base classes of its policies.
namespace anew::inline ANEW_ABI::combining {

/// The common base of any_of and first_of, which differ in how they combine verdicts. `Rule::error(result, verdict)`
/// and `Rule::value(result, verdict)` add one member's verdict, and return true when the others need not be asked.
template <class Rule, class... Classifiers>
class combination {
 public:
  using catches = detail::merged_catches<Classifiers...>;

  constexpr combination() = default;
  constexpr explicit combination(Classifiers... classifiers)
    requires(sizeof...(Classifiers) > 0)
      : members_{std::move(classifiers)...} {}

  template <class E>
    requires detail::ReadableByOneOf<E, catches, Classifiers...>
  [[nodiscard]] constexpr directive classify(E const& error) const {
    auto result = directive::unclassified();
    members_.until([&](auto const& c) {
      auto const verdict = detail::consult<catches>(c, error);
      if (!verdict || verdict->is_unclassified()) return false;
      if (!verdict->is_no_opinion()) return Rule::error(result, *verdict);
      if (result.is_unclassified()) result = *verdict;
      return false;
    });
    return result;
  }

  template <class R>
    requires(detail::ReadsResult<Classifiers, R> || ...)
  [[nodiscard]] constexpr directive classify_result(R const& value) const {
    auto result = directive::no_opinion();
    members_.until([&]<class C>(C const& c) {
      if constexpr (detail::ReadsResult<C, R>) {
        directive const verdict = c.classify_result(value);
        return !verdict.is_no_opinion() && Rule::value(result, verdict);
      }
      return false;
    });
    return result;
  }
  template <class R>
  static constexpr bool leaves_undecided =
      ((!detail::ReadsResult<Classifiers, R> || detail::LeavesUndecided<Classifiers, R>) && ...);

  template <class R>
  static constexpr bool reads_whole = (detail::ReadsWhole<Classifiers, R> || ...);
  template <class R>
  static constexpr bool accepts_result = !detail::some_member_refuses<Rule::first_decides, R, Classifiers...>;
  template <class R>
  static consteval void explain_result() {
    constexpr bool is_read = (detail::ReadsResult<Classifiers, R> || ...);
    detail::refusing_member<R, is_read, Classifiers...>::type::template explain_result<R>();
  }

  [[nodiscard]] std::string describe() const { return members_.describe(Rule::name, "classifier"); }

  static constexpr bool is_sound =
      detail::has_at_least_one_classifier<Classifiers...> && detail::all_are_classifiers<Classifiers...> &&
      (!detail::IsMarkedUnsound<Classifiers> && ...) && detail::catch_at_most_eight_types<catches> &&
      (!Rule::first_decides || detail::all_are_asked<catch_list<>, Classifiers...>);
  static constexpr bool has_an_opinion = (detail::always_has_an_opinion<Classifiers> && ...);
  static consteval void explain() {
    if constexpr (!detail::has_at_least_one_classifier<Classifiers...>) {
      static_assert(detail::has_at_least_one_classifier<Classifiers...>,
                    "anew::any_of<Classifiers...> and anew::first_of<Classifiers...> require at least one classifier; "
                    "the list is empty. Name the classifiers to combine");
    } else if constexpr (!detail::all_are_classifiers<Classifiers...>) {
      static_assert(detail::all_are_classifiers<Classifiers...>,
                    "anew::any_of<Classifiers...> and anew::first_of<Classifiers...> require classifiers only; you "
                    "passed another type. Did you mean anew::retry_if<Predicate>?");
    } else if constexpr ((detail::IsMarkedUnsound<Classifiers> || ...)) {
      detail::explain_first_unsound<Classifiers...>();
    } else if constexpr (detail::catch_at_most_eight_types<catches>) {
      detail::explain_first_unasked(catch_list<>{}, catch_list<Classifiers...>{});
    } else {
      static_assert(detail::catch_at_most_eight_types<catches>,
                    "anew::any_of<Classifiers...> and anew::first_of<Classifiers...> require classifiers that together "
                    "catch at most eight types of exception; these catch more. Name a common base instead");
    }
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::several<Classifiers...> members_;
};

/// The base of a classifier around another: it forwards everything except the verdicts.
template <class C>
class around {
 public:
  constexpr around() = default;
  constexpr explicit around(C classifier) : classifier_{std::move(classifier)} {}

  template <class R>
  static constexpr bool reads_whole = detail::ReadsWhole<C, R>;
  template <class R>
  static constexpr bool accepts_result = !detail::RefusesResult<C, R>;
  template <class R>
  static consteval void explain_result() {
    C::template explain_result<R>();
  }
  template <class R>
  static constexpr bool leaves_undecided = detail::LeavesUndecided<C, R>;
  static constexpr bool has_an_opinion = detail::always_has_an_opinion<C>;
  using reads_only = typename detail::reads_only_of<C>::type;

  static constexpr bool is_sound = detail::all_are_classifiers<C> && !detail::IsMarkedUnsound<C>;
  static consteval void explain() {
    static_assert(detail::all_are_classifiers<C>,
                  "anew::caused_by<C>, anew::idempotent_only<C> and anew::not_<C> require a classifier; C is not a "
                  "classifier. Did you mean anew::retry_if<Predicate>, or anew::retry_on<Exception>?");
    if constexpr (detail::all_are_classifiers<C>) detail::explain_first_unsound<C>();
  }

 protected:
  [[nodiscard]] std::string describe_as(char const* name) const {
    return detail::written(name, detail::describe_member(classifier_.get(), "classifier"));
  }

  ANEW_NO_UNIQUE_ADDRESS detail::inner<C, around> classifier_;
};

}  // namespace anew::inline ANEW_ABI::combining

#endif
