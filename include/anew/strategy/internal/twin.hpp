// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STRATEGY_INTERNAL_TWIN_HPP
#define ANEW_STRATEGY_INTERNAL_TWIN_HPP

#include <concepts>
#include <type_traits>

#include "anew/base/internal/parameter.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/classifier/retry_info.hpp"
#include "anew/roles/roles.hpp"
#include "anew/strategy/basic_strategy.hpp"

/// The run-time twin of a strategy: the same kinds of policies, with their numbers as values. A call decides by its
/// strategy's twin after a failure, so that the decision is compiled once for all strategies of one shape.
namespace anew::inline ANEW_ABI::detail {

/// A policy opts in by `twin()`, which returns a policy of the same role that decides alike and is cheap to make. A
/// policy that is nothing but its type is its own twin.
template <class P>
concept HasTwin =
    DeclaresTwin<P> || (std::is_empty_v<P> && std::is_trivially_copyable_v<P> && std::is_copy_constructible_v<P>);

/// Roles that are not asked after a failure, or asked of the strategy itself.
template <class Role>
inline constexpr bool is_left_to_strategy =
    std::is_same_v<Role, roles::attempt_timeout> || std::is_same_v<Role, roles::history>;

/// True where the compiler computes the twin, so that the checks of its constructor are no part of the program.
template <class P>
concept HasConstantTwin = std::is_empty_v<P> && requires {
  typename std::bool_constant<(static_cast<void>(P{}.twin()), true)>;
  requires std::copy_constructible<decltype(P{}.twin())>;
};

template <class P>
ANEW_INLINE constexpr auto twin_of([[maybe_unused]] P const& policy) {
  using role = typename P::role;
  if constexpr (std::is_same_v<role, roles::classifier>) {
    return retry_info_classifier{};
  } else if constexpr (is_left_to_strategy<role>) {
    return absent<role>{};
  } else if constexpr (DeclaresTwin<P>) {
    if constexpr (HasConstantTwin<P>) {
      constexpr auto made = P{}.twin();
      return made;
    } else {
      return policy.twin();
    }
  } else {
    return policy;
  }
}
template <class P>
inline constexpr bool may_have_twin =
    std::is_same_v<typename P::role, roles::classifier> || is_left_to_strategy<typename P::role> || HasTwin<P>;

/// `type` is what decides for `S`: its twin, or `S` itself.
template <class S>
struct decider_of : std::type_identity<S> {};
template <class... Ps>
  requires(basic_strategy<Ps...>::initial_token_is_pure && (may_have_twin<Ps> && ...))
struct decider_of<basic_strategy<Ps...>>
    : std::type_identity<basic_strategy<decltype(detail::twin_of(std::declval<Ps const&>()))...>> {};
template <class S>
using decider_type_of = typename decider_of<S>::type;

template <class... Ps>
ANEW_INLINE constexpr auto make_twin(basic_strategy<Ps...> const& strategy) noexcept {
  return strategy.apply([](Ps const&... policies) ANEW_INLINE_LAMBDA {
    return decider_type_of<basic_strategy<Ps...>>{detail::twin_of(policies)...};
  });
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
