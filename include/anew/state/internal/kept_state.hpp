// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STATE_INTERNAL_KEPT_STATE_HPP
#define ANEW_STATE_INTERNAL_KEPT_STATE_HPP

#include <string_view>
#include <type_traits>

#include "anew/base/platform/compiler.hpp"
#include "anew/policies/sharing/internal/handle_of.hpp"
#include "anew/roles/roles.hpp"
#include "anew/state/internal/state_bytes.hpp"
#include "anew/strategy/basic_strategy.hpp"
#include "anew/strategy/for_each_policy.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Which policies have a state that outlives their process.

template <class P>
concept KeepsState = requires(P const& policy, state_walk& w) { policy.walk_state(w); };

/// A policy without a state, or with one that ends with the process or is elsewhere: it is empty, or declares so.
template <class P>
inline constexpr bool has_nothing_to_keep = std::is_empty_v<P> || requires { requires P::keeps_nothing; };

template <class P>
inline constexpr bool state_of_policy_is_known = KeepsState<P> || has_nothing_to_keep<P>;

/// Calls `visit` with the policy that has the state of `policy`, unless there is nothing to keep.
template <class P, class Visit>
void with_state_of(P const& policy, Visit const& visit) {
  if constexpr (KeepsState<P>) {
    visit(policy);
  } else if constexpr (HoldsAnother<P>) {
    detail::with_state_of(policy.policy(), visit);
  } else if constexpr (IsChoice<P>) {
    policy.visit([&visit](auto const& chosen) { detail::with_state_of(chosen, visit); });
  } else {
    static_assert(state_of_policy_is_known<P>,
                  "anew::snapshot and anew::restore require policies whose state they know; this quota, gate or pacer "
                  "is your own, "
                  "or an anew::partitioned, which has a state for each key. Pass the other policies one by one, as in "
                  "snapshot(strategy.gate(), now), or declare static constexpr bool keeps_nothing = true in yours");
  }
}

/// Calls `visit` with each policy whose state outlives the process: of a strategy, or of one policy.
template <class... Ps, class Visit>
void each_kept(basic_strategy<Ps...> const& strategy, Visit const& visit) {
  anew::for_each_policy(strategy, [&visit]<class P>(std::string_view /*role*/, P const& policy) {
    if constexpr (is_shared_state<P>) detail::with_state_of(policy, visit);
  });
}
template <class P, class Visit>
  requires is_shared_state<P>
void each_kept(P const& policy, Visit const& visit) {
  detail::with_state_of(policy, visit);
}

template <class... Ps>
void as_strategy(basic_strategy<Ps...> const& strategy);
template <class T>
inline constexpr bool is_strategy_or_shared_state =
    is_shared_state<T> || requires(T const& of) { detail::as_strategy(of); };

/// Explains in one sentence what is wrong with what `snapshot()` or `restore()` is called with.
template <class T>
consteval bool explain_kept_states() {
  if constexpr (!is_strategy_or_shared_state<T>) {
    static_assert(
        is_strategy_or_shared_state<T>,
        "anew::snapshot and anew::restore require a strategy, a quota, a gate or a pacer; nothing else counts "
        "for all calls. Pass the strategy, or its quota()");
    return false;
  } else if constexpr (is_shared_state<T> && has_nothing_to_keep<T>) {
    static_assert(!has_nothing_to_keep<T>,
                  "anew::snapshot and anew::restore require a policy whose state is worth keeping; this policy has "
                  "no state, or counts calls in progress as anew::concurrency_budget does. Omit it");
    return false;
  } else {
    return true;
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
