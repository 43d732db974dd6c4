// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STRATEGY_INTERNAL_EXPLAIN_HPP
#define ANEW_STRATEGY_INTERNAL_EXPLAIN_HPP

#include <chrono>
#include <type_traits>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/inner.hpp"
#include "anew/base/internal/slots.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/roles/attempt_timeout.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/internal/catalogue.hpp"
#include "anew/roles/internal/explain_members.hpp"
#include "anew/roles/internal/members.hpp"
#include "anew/roles/retry_strategy.hpp"
#include "anew/roles/roles.hpp"
#include "anew/strategy/role_table.hpp"

/// Explains an argument that is not a policy: what it is, and what to write instead.
namespace anew::inline ANEW_ABI::detail {

/// A policy of the catalogue without its header is declared, but not defined.
template <class P>
inline constexpr bool header_of_the_policy_is_included = !std::is_class_v<P> || requires { sizeof(P); };
/// Of a policy around others each is asked first: the size of the whole would be an error in it. A choice names its role too.
template <template <class...> class Around, class... Ps>
  requires(!((header_of_the_policy_is_included<Ps> || requires { sizeof(row<Ps>); }) && ...))
inline constexpr bool header_of_the_policy_is_included<Around<Ps...>> = false;

template <class P>
inline constexpr bool is_a_policy_not_a_strategy = !requires { typename P::token_type; };

template <class P>
inline constexpr bool plays_a_role = DeclaresRole<P>;

/// A registry of policies, such as `partitioned`: it lends policies, and is not a policy itself.
template <class P>
concept LendsPolicies = requires {
  typename std::remove_cvref_t<P>::lease;
  typename std::remove_cvref_t<P>::key_type;
};
template <class P>
inline constexpr bool is_a_policy_not_a_registry = !LendsPolicies<P>;

template <class P>
inline constexpr bool is_a_number_or_a_duration = std::is_arithmetic_v<P>;
template <class Rep, class Period>
inline constexpr bool is_a_number_or_a_duration<std::chrono::duration<Rep, Period>> = true;

template <class... Ps>
inline constexpr bool arguments_are_not_numbers = !(is_a_number_or_a_duration<Ps> || ...);

/// A class without a role: usually a lambda.
template <class P>
inline constexpr bool may_be_a_lambda =
    std::is_class_v<P> && header_of_the_policy_is_included<P> && is_a_policy_not_a_strategy<P> && !LendsPolicies<P>;
template <class... Ps>
inline constexpr bool every_argument_plays_a_role = ((DeclaresRole<Ps> || !may_be_a_lambda<Ps>) && ...);

/// Explains arguments of compose() whose types alone do not show the mistake to strategy<>.
template <class... Ps>
consteval bool explain_arguments() {
  if constexpr (!arguments_are_not_numbers<Ps...>) {
    static_assert(arguments_are_not_numbers<Ps...>,
                  "anew::compose(policies...) requires policies; you passed a number or a duration. "
                  "Did you mean anew::max_attempts{3}, or anew::constant_backoff{100ms}?");
    return false;
  } else {
    static_assert(every_argument_plays_a_role<Ps...>,
                  "anew::compose(policies...) requires policies; at least one argument has no nested type 'role'. "
                  "Wrap a lambda that classifies: anew::retry_if{lambda}. For an observer, write a struct with 'using "
                  "role = anew::roles::observer' and 'void on_retry(anew::retry_event const&) const'");
    return every_argument_plays_a_role<Ps...>;
  }
}

/// The result of a composition that is explained to be wrong: a RetryStrategy that does nothing, so that the
/// explanation is the only error.
struct ill_formed_strategy {
  struct token_type {
    [[nodiscard]] static constexpr duration delay() noexcept { return {}; }
  };
  ill_formed_strategy() = default;
  template <class... Anything>
    requires(sizeof...(Anything) > 0)
  constexpr explicit ill_formed_strategy(Anything&&... /*ignored*/) noexcept {}
  [[nodiscard]] static constexpr token_type acquire_initial_token() noexcept { return {}; }
  [[nodiscard]] static constexpr refreshed<token_type> refresh_retry_token(token_type&& /*t*/,
                                                                           failure const& /*f*/) noexcept {
    return stop_reason::not_retryable;
  }
  static constexpr void record_success(token_type&& /*t*/) noexcept {}
};

// Explains a mistake in a composition in one sentence, before anything is computed from it: what was written, what it
// requires, what is wrong, a remedy. Only the first mistake of a policy is reported. The assertions stand in function
// templates, because a class whose assertion failed is not a constant for clang and causes further errors. They are
// called where the user's type is named, because each nested call adds three lines to clang's output. The condition is
// a named concept or trait, because compilers print its arguments. Every mistake has a section in
// examples/mistakes and in docs/errors.md.

// These questions are asked about every policy of every strategy. They are variables and concepts, because a function
// takes a compiler several times as long, and they ask about the role where possible, because the compiler answers that
// once.
/// A type without const and reference: `decltype()` of a constant or a reference would make a different strategy type.
template <class P>
inline constexpr bool is_a_plain_type = std::is_same_v<P, std::remove_cvref_t<P>>;

template <class C, class Catches>
inline constexpr bool classifies_what_it_catches = false;
template <class C, class... Es>
inline constexpr bool classifies_what_it_catches<C, catch_list<Es...>> = (ClassifierOf<C, Es> && ...);

template <class Catches>
inline constexpr bool catches_at_most_eight_types = Catches::size <= 8;

/// A pointer converts exactly where a catch clause matches, and does not need a complete type.
template <class E, class... Later>
inline constexpr bool hides_one_of = (std::is_convertible_v<Later*, E*> || ...);

template <class Catches>
inline constexpr bool derived_types_are_caught_first = true;
template <class E, class... Later>
inline constexpr bool derived_types_are_caught_first<catch_list<E, Later...>> =
    !hides_one_of<E, Later...> && derived_types_are_caught_first<catch_list<Later...>>;

template <class P, class Role = typename P::role>
inline constexpr bool catches_are_sound = true;
template <class P>
  requires(!catches_at_most_eight_types<typename catches_of<P>::type>)
inline constexpr bool catches_are_sound<P, roles::classifier> = false;
template <class P>
  requires catches_at_most_eight_types<typename catches_of<P>::type>
inline constexpr bool catches_are_sound<P, roles::classifier> =
    classifies_what_it_catches<P, typename catches_of<P>::type> &&
    derived_types_are_caught_first<typename catches_of<P>::type>;

/// The question that `explainer_of` answers.
template <class P>
concept SoundPolicy =
    is_a_plain_type<P> && header_of_the_policy_is_included<P> && DeclaresRole<P> && is_known_role<P> &&
    models_its_role<P> && !IsMarkedUnsound<P> && catches_are_sound<P> && members_are_callable<P>;

// One class for each kind of mistake in a policy; the policy itself for its own numbers. Both are called where the user
// names P, and found without a call, because each nested call adds three lines to clang's output.

struct nothing_to_explain {
  template <class P = void>
  static consteval void explain() {}
};

// NOLINTBEGIN(*-macro-*, *-braces-*): a message is a literal
// clang-format off: a rung is a message, and the question that is answered with no
#define ANEW_REQUIRES(MESSAGE, ...)      \
  if constexpr (!(__VA_ARGS__)) {        \
    static_assert(__VA_ARGS__, MESSAGE); \
  } else

struct explains_policies {
  template <class P>
  static consteval void explain() {
    ANEW_REQUIRES("anew::strategy<Policies...> requires plain types; you passed a const type or a reference. Did you "
                  "mean std::remove_cvref_t<decltype(...)>, or anew::compose(policies...)?", is_a_plain_type<P>)
    ANEW_REQUIRES("anew::strategy<Policies...> requires policies whose headers are included; this policy is only "
                  "declared. Include <anew/policies.hpp>, which has the whole catalogue, or the policy's own header",
                  header_of_the_policy_is_included<P>)
    ANEW_REQUIRES("anew::strategy<Policies...> requires policies; you passed a partitioned<Key, Policy>, which keeps "
                  "one for each key. Compose what its at(key) returns, a policy of the type partitioned<Key, "
                  "Policy>::lease", is_a_policy_not_a_registry<P>)
    ANEW_REQUIRES("anew::strategy<Policies...> and anew::with<Strategy, Policies...> require policies; you passed a "
                  "strategy as one. Name the policies that you want from it, or write anew::with<Strategy, "
                  "Policies...> to replace some of its policies", is_a_policy_not_a_strategy<P>)
    ANEW_REQUIRES("anew::strategy<Policies...> and anew::with<Strategy, Policies...> require policies; you passed a "
                  "type that has no nested type 'role'. Did you mean a policy from <anew/anew.hpp>, or 'using role = "
                  "anew::roles::...' in your own?", plays_a_role<P>)
    ANEW_REQUIRES("anew::strategy<Policies...> requires every policy's 'role' to be one of anew::roles; yours is "
                  "another type. <anew/roles/roles.hpp> lists them: did you mean anew::roles::observer?",
                  is_known_role<P>)
    ANEW_REQUIRES("anew::strategy<Policies...> requires a classifier to catch at most eight types of exception; your "
                  "'catches' names more. Did you mean a common base?",
                  catches_at_most_eight_types<typename catches_of<P>::type>)
    ANEW_REQUIRES("anew::strategy<Policies...> requires a classifier to answer for every exception type that it "
                  "catches; 'anew::directive classify(E const&) const' is missing for at least one. Does the predicate "
                  "of anew::retry_if<Predicate, Exceptions...> take them all, and is it const?",
                  classifies_what_it_catches<P, typename catches_of<P>::type>)
    ANEW_REQUIRES("anew::strategy<Policies...> requires a classifier to name a derived exception type before its base, "
                  "and no type twice; here an earlier type catches all that a later one would. Name the derived type "
                  "first, or omit it", derived_types_are_caught_first<typename catches_of<P>::type>) {}
  }
};
#undef ANEW_REQUIRES
// clang-format on
// NOLINTEND(*-macro-*, *-braces-*)

/// Asked in this order: the size of a policy that is only declared, or its role, would be an error in it.
template <class P>
inline constexpr bool is_a_known_policy = false;
template <class P>
  requires is_a_plain_type<P> && header_of_the_policy_is_included<P> && DeclaresRole<P>
inline constexpr bool is_a_known_policy<P> = is_known_role<P>;

template <class P>
consteval auto find_explainer() {
  if constexpr (SoundPolicy<P>) {
    return std::type_identity<nothing_to_explain>{};
  } else if constexpr (!is_a_known_policy<P>) {
    return std::type_identity<explains_policies>{};
  } else if constexpr (!models_its_role<P>) {
    return std::type_identity<row<typename P::role>>{};
  } else if constexpr (IsMarkedUnsound<P>) {
    return std::type_identity<nothing_to_explain>{};  // it says so itself
  } else if constexpr (!members_are_callable<P>) {
    return std::type_identity<explains_members>{};
  } else {
    return std::type_identity<explains_policies>{};
  }
}

template <class P>
using explainer_of = typename decltype(detail::find_explainer<P>())::type;
/// A policy whose numbers are wrong says so itself.
template <class P>
concept ExplainsItself = is_a_known_policy<P> && models_its_role<P> && IsMarkedUnsound<P>;
template <class P>
using own_explainer_of = std::conditional_t<ExplainsItself<P>, P, nothing_to_explain>;

template <class... Ps>
inline constexpr bool no_role_is_played_twice =
    (0U + ... + bit_of<typename Ps::role>) == (0U | ... | bit_of<typename Ps::role>);  // no carry

template <class... Ps>
inline constexpr bool deadline_has_max_attempts =
    !(PlaysRole<Ps, roles::deadline> || ...) || (PlaysRole<Ps, roles::max_attempts> || ...);

template <class Limit, class Deadline>
struct share_of_deadline_has_a_deadline {
  static constexpr bool value = !NeedsDeadline<Limit> || !is_absent<Deadline>;
};

/// True when both policies come from this pack, or from the strategy that the pack is merged into.
template <class Fallback, class FallbackDeadline, class... Ps>
using part_of_a_deadline = share_of_deadline_has_a_deadline<pick_t<roles::attempt_timeout, Fallback, Ps...>,
                                                            pick_t<roles::deadline, FallbackDeadline, Ps...>>;
template <class... Ps>
using part_of_own_deadline = part_of_a_deadline<absent<roles::attempt_timeout>, absent<roles::deadline>, Ps...>;

template <class Limit, class Deadline>
consteval bool explain_part(share_of_deadline_has_a_deadline<Limit, Deadline> /*pair*/) {
  static_assert(share_of_deadline_has_a_deadline<Limit, Deadline>::value,
                "anew::strategy<Policies...> requires a deadline for an attempt timeout that is a share of it; your "
                "strategy has none. Add anew::deadline<Total>, or write anew::attempt_timeout<Limit>");
  return share_of_deadline_has_a_deadline<Limit, Deadline>::value;
}

/// True when these policies may together replace others; otherwise explains why not, unless one of the arguments is not
/// a policy.
template <class... Ps>
consteval bool explain_replacement() {
  if constexpr (!(SoundPolicy<Ps> && ...)) {
    return false;
  } else {
    static_assert(no_role_is_played_twice<Ps...>,
                  "anew::strategy<Policies...> requires at most one policy of a role; you passed two that "
                  "have the same role. Remove one; anew::with<Strategy, Policy> replaces a policy of a strategy");
    return no_role_is_played_twice<Ps...>;
  }
}

/// True when these policies alone can form a strategy; otherwise explains why not, unless one of the arguments is not a
/// policy.
template <class... Ps>
consteval bool explain_composition() {
  if constexpr (!(SoundPolicy<Ps> && ...)) {
    return false;
  } else if constexpr (!no_role_is_played_twice<Ps...>) {
    return detail::explain_replacement<Ps...>();
  } else if constexpr (!part_of_own_deadline<Ps...>::value) {
    return detail::explain_part(part_of_own_deadline<Ps...>{});
  } else {
    static_assert(
        deadline_has_max_attempts<Ps...>,
        "anew::strategy<Policies...> requires you to limit the attempts where you set a deadline; the default of three "
        "would end the call long before it. Add anew::unbounded, or anew::max_attempts<N>");
    return deadline_has_max_attempts<Ps...>;
  }
}

/// The same question without an explanation, for constraints.
template <class... Ps>
consteval bool is_composable() {
  if constexpr ((SoundPolicy<Ps> && ...)) {
    if constexpr (no_role_is_played_twice<Ps...>) {
      return part_of_own_deadline<Ps...>::value && deadline_has_max_attempts<Ps...>;
    }
  }
  return false;
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
