// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STRATEGY_INTERNAL_EXPLAIN_NO_POLICY_HPP
#define ANEW_STRATEGY_INTERNAL_EXPLAIN_NO_POLICY_HPP

#include <chrono>
#include <type_traits>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/roles/internal/catalogue.hpp"
#include "anew/roles/retry_strategy.hpp"
#include "anew/roles/roles.hpp"

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

}  // namespace anew::inline ANEW_ABI::detail

#endif
