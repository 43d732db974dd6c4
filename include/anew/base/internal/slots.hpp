// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_INTERNAL_SLOTS_HPP
#define ANEW_BASE_INTERNAL_SLOTS_HPP

#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"

/// Finds a policy by its role through overload resolution, the cheapest way of those measured.
namespace anew::inline ANEW_ABI::detail {

template <class Role, class P>
struct slot {
  using type = P;
};

/// One base per policy. No role occurs twice: an earlier check explains that mistake.
template <class... Ps>
struct slots : slot<typename Ps::role, Ps>... {};

template <class Role, class Default, class P>
slot<Role, P> pick(slot<Role, P> const*);
template <class Role, class Default>
slot<Role, Default> pick(void const*);  // the worse conversion: the role is not composed

template <class Role, class Default, class... Ps>
using pick_t = typename decltype(detail::pick<Role, Default>(static_cast<slots<Ps...> const*>(nullptr)))::type;

/// The same for values: the arguments of `compose()`, which are moved into the strategy.
template <class Role, class P>
struct value_slot {
  P&& value;
};

struct any_value_slots {};
template <class... Ps>
struct value_slots : any_value_slots, value_slot<typename std::remove_cvref_t<Ps>::role, Ps>... {
  constexpr explicit value_slots(Ps&&... policies) noexcept
      : value_slot<typename std::remove_cvref_t<Ps>::role, Ps>{std::forward<Ps>(policies)}... {}
};

template <class Role, class P>
constexpr P&& take(value_slot<Role, P>& given) noexcept {
  return std::forward<P>(given.value);
}

template <class Given, class Policy>
inline constexpr bool is_the_policy_of_this_strategy = std::is_same_v<Given, Policy>;

/// True for a handle that you must pass to a strategy: a default-constructed handle would share with nothing.
template <class P>
inline constexpr bool must_be_passed = false;

/// Properties of all policies of a strategy. They use the builtin, because the trait costs a millisecond per strategy.
template <class... Ps>
struct policy_list {
  static constexpr bool have_defaults = ((__is_constructible(Ps) && !must_be_passed<Ps>) && ...);
  static constexpr bool are_copied = (__is_constructible(Ps, Ps const&) && ...);
};

/// The argument that plays `Role`, or a default-constructed `Policy`.
template <class Role, class Policy, class Given>
  requires requires(Given& given) { detail::take<Role>(given); }
constexpr decltype(auto) take_or_default(Given& given) {
  using policy = std::remove_cvref_t<decltype(detail::take<Role>(given))>;
  static_assert(is_the_policy_of_this_strategy<policy, Policy>,
                "anew::strategy<Policies...>{values...} requires values of its own policies; this value is of "
                "another policy of the same role. Did you mean anew::compose(policies...), which finds the type?");
  if constexpr (std::is_same_v<policy, Policy>) {
    return detail::take<Role>(given);
  } else {
    return static_cast<Policy (*)()>(nullptr)();  // never called; an earlier check explains the mistake
  }
}
template <class Role, class Policy>  // one function for all strategies: it does not know what else is given
constexpr Policy take_or_default(any_value_slots const& /*given*/) {
  return Policy{};
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
