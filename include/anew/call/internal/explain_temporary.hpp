// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CALL_INTERNAL_EXPLAIN_TEMPORARY_HPP
#define ANEW_CALL_INTERNAL_EXPLAIN_TEMPORARY_HPP

#include <concepts>
#include <type_traits>

#include "anew/base/platform/compiler.hpp"
#include "anew/call/internal/explain_call.hpp"
#include "anew/roles/roles.hpp"
#include "anew/strategy/basic_strategy.hpp"

/// Refuses a strategy that is made for one call and holds policies that calls share: its bucket is full each time, its
/// breaker never opens.
namespace anew::inline ANEW_ABI::detail {

/// A policy with shared state in the strategy itself: a quota, a gate or a pacer that cannot be copied. A handle
/// (`shared<>`, `borrowed<>`) and a policy without state can be copied.
template <class P, class Role = typename P::role>
inline constexpr bool is_own_state = false;
template <class P, class Role>
  requires(std::same_as<Role, roles::quota> || std::same_as<Role, roles::gate> || std::same_as<Role, roles::pacer>)
inline constexpr bool is_own_state<P, Role> = !std::is_copy_constructible_v<P>;

/// Compilers print the policy's name.
template <class Policy>
inline constexpr bool shared_state_outlives_the_call = !is_own_state<Policy>;

template <class S>
inline constexpr bool has_own_state = false;
template <class... Ps>
inline constexpr bool has_own_state<basic_strategy<Ps...>> = (is_own_state<Ps> || ...);

/// The first policy that holds its shared state itself.
template <class P, class... Ps>
consteval auto first_own_state() {
  if constexpr (is_own_state<P>) {
    return std::type_identity<P>{};
  } else {
    return detail::first_own_state<Ps...>();
  }
}
template <class... Ps>
consteval auto own_state_of(basic_strategy<Ps...> const* /*strategy*/) {
  return detail::first_own_state<Ps...>();
}
template <class S>
using own_state_t = typename decltype(detail::own_state_of(static_cast<S const*>(nullptr)))::type;

/// A strategy that must not be a temporary; the question for calls with an rvalue.
template <class S>
concept IsTemporaryWithState = has_own_state<std::remove_cv_t<S>>;

/// Its type is deduced, so that it is instantiated where the call is: clang forgets the user's line otherwise.
template <class S, class Op>
decltype(auto) explain_temporary() {
  static_assert(shared_state_outlives_the_call<own_state_t<S>>,
                "anew::retry(strategy, operation) requires a strategy that outlives the call; you passed a temporary "
                "with a quota, a gate or a pacer, which every call would create anew. Declare it once, 'static "
                "my_strategy const strategy;', or hold the policy in anew::shared<Policy>");
  return detail::inert<typename inert_result<Op>::type>();
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
