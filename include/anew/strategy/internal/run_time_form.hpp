// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STRATEGY_INTERNAL_RUN_TIME_FORM_HPP
#define ANEW_STRATEGY_INTERNAL_RUN_TIME_FORM_HPP

#include <concepts>
#include <type_traits>

#include "anew/base/internal/parameter.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/classifier/retry_info.hpp"
#include "anew/roles/roles.hpp"
#include "anew/strategy/basic_strategy.hpp"

/// The run-time form of a strategy: the same kinds of policies, with their numbers as values. A call decides by its
/// strategy's run-time form after a failure, so that the decision is compiled once for all strategies of one shape.
namespace anew::inline ANEW_ABI::detail {

/// A policy opts in by `run_time_form()`, which returns a policy of the same role that decides alike and is cheap to make. A
/// policy that is nothing but its type is its own run-time form.
template <class P>
concept HasRunTimeForm = DeclaresRunTimeForm<P> ||
                         (std::is_empty_v<P> && std::is_trivially_copyable_v<P> && std::is_copy_constructible_v<P>);

/// Roles that are not asked after a failure, or asked of the strategy itself.
template <class Role>
inline constexpr bool is_left_to_strategy =
    std::is_same_v<Role, roles::attempt_timeout> || std::is_same_v<Role, roles::history>;

/// True where the compiler computes the run-time form, so that the checks of its constructor are no part of the program.
template <class P>
concept HasConstantRunTimeForm = std::is_empty_v<P> && requires {
  typename std::bool_constant<(static_cast<void>(P{}.run_time_form()), true)>;
  requires std::copy_constructible<decltype(P{}.run_time_form())>;
};

template <class P>
ANEW_INLINE constexpr auto run_time_form_of([[maybe_unused]] P const& policy) {
  using role = typename P::role;
  if constexpr (std::is_same_v<role, roles::classifier>) {
    return retry_info_classifier{};
  } else if constexpr (is_left_to_strategy<role>) {
    return absent<role>{};
  } else if constexpr (DeclaresRunTimeForm<P>) {
    if constexpr (HasConstantRunTimeForm<P>) {
      constexpr auto made = P{}.run_time_form();
      return made;
    } else {
      return policy.run_time_form();
    }
  } else {
    return policy;
  }
}
template <class P>
inline constexpr bool may_have_run_time_form =
    std::is_same_v<typename P::role, roles::classifier> || is_left_to_strategy<typename P::role> || HasRunTimeForm<P>;

/// `type` is what decides for `S`: its run-time form, or `S` itself.
template <class S>
struct decider_of : std::type_identity<S> {};
template <class... Ps>
  requires(basic_strategy<Ps...>::initial_token_is_pure && (may_have_run_time_form<Ps> && ...))
struct decider_of<basic_strategy<Ps...>>
    : std::type_identity<basic_strategy<decltype(detail::run_time_form_of(std::declval<Ps const&>()))...>> {};
template <class S>
using decider_type_of = typename decider_of<S>::type;

template <class... Ps>
ANEW_INLINE constexpr auto make_run_time_form(basic_strategy<Ps...> const& strategy) noexcept {
  return strategy.apply([](Ps const&... policies) ANEW_INLINE_LAMBDA {
    return decider_type_of<basic_strategy<Ps...>>{detail::run_time_form_of(policies)...};
  });
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
