// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STRATEGY_INTERNAL_EXPLAIN_NO_POLICY_HPP
#define ANEW_STRATEGY_INTERNAL_EXPLAIN_NO_POLICY_HPP

#include <chrono>
#include <type_traits>

#include "anew/base/platform/compiler.hpp"
#include "anew/roles/internal/catalogue.hpp"
#include "anew/roles/roles.hpp"

/// Explains an argument that is not a policy: what it is, and what to write instead.
namespace anew::inline ANEW_ABI::detail {

/// The place where the policies are named; the message depends on it.
struct in_strategy {};
struct in_with {};

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
struct explains_registries {
  template <class P>
  static consteval void explain() {
    static_assert(is_a_policy_not_a_registry<P>,
                  "anew::strategy<Policies...> requires policies; you passed a partitioned<Key, Policy>, which keeps "
                  "one for each "
                  "key. Compose what its at(key) returns, a policy of the type partitioned<Key, Policy>::lease");
  }
};

/// Types with their own message in this header.
template <class P, class Where>
inline constexpr bool is_explained_non_policy =
    std::is_same_v<Where, in_with> || !header_of_the_policy_is_included<P> || !is_a_policy_not_a_strategy<P>;

template <class Where>
struct explains_non_policies {
  template <class P>
  static consteval void explain() {
    if constexpr (!header_of_the_policy_is_included<P>) {
      static_assert(header_of_the_policy_is_included<P>,
                    "anew::strategy<Policies...> requires policies whose headers are included; this policy is only "
                    "declared. Include <anew/policies.hpp>, which has the whole catalogue, or the policy's own header");
    } else if constexpr (!is_a_policy_not_a_strategy<P> && std::is_same_v<Where, in_with>) {
      static_assert(is_a_policy_not_a_strategy<P>,
                    "anew::with<Strategy, Policies...> requires policies after its first argument; you passed a second "
                    "strategy. Name the policies that you want from it");
    } else if constexpr (!is_a_policy_not_a_strategy<P>) {
      static_assert(is_a_policy_not_a_strategy<P>,
                    "anew::strategy<Policies...> requires every argument to be a policy; you passed a strategy. "
                    "Did you mean anew::with<Strategy, Policies...>, which replaces policies of a strategy?");
    } else {
      static_assert(
          plays_a_role<P>,
          "anew::with<Strategy, Policies...> requires every argument after the first to be a policy; you passed a type "
          "that has no nested type 'role'. Did you mean a policy from <anew/anew.hpp>, or to write 'using role = "
          "anew::roles::...' in your own?");
    }
  }
};

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

}  // namespace anew::inline ANEW_ABI::detail

#endif
