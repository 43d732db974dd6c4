// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_SHARING_INTERNAL_GRANTS_HPP
#define ANEW_POLICIES_SHARING_INTERNAL_GRANTS_HPP

#include <type_traits>

#include "anew/base/platform/compiler.hpp"
#include "anew/roles/quota.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI::detail {

template <class P, class... Ps>
concept OneOf = (std::is_same_v<P, Ps> || ...);

template <class... Ts>
struct type_list {};

/// Each type once, without `Omitted`.
template <class Omitted, class Found, class... Ts>
struct unique_types : std::type_identity<Found> {};
template <class Omitted, class... Found, class T, class... Ts>
struct unique_types<Omitted, type_list<Found...>, T, Ts...>
    : unique_types<Omitted,
                   std::conditional_t<std::is_same_v<T, Omitted> || OneOf<T, Found...>, type_list<Found...>,
                                      type_list<Found..., T>>,
                   Ts...> {};

/// The grant that an attempt holds, whichever policy is chosen: the policies' own type where they agree; else the variant
/// of a choice, in which another policy's grant counts as empty.
template <class Held>
struct common_held;
template <>
struct common_held<type_list<>> : std::type_identity<no_permit> {};
template <class Only>
struct common_held<type_list<Only>> : std::type_identity<Only> {};

template <class Common, class Own>
constexpr Common as_common(Own const& held) {
  if constexpr (std::is_same_v<Common, Own>) {
    return held;
  } else if constexpr (std::is_same_v<Own, no_permit>) {
    return Common{};
  } else {
    return held == Own{} ? Common{} : Common{held};
  }
}
template <class Own, class Common>
constexpr Own as_own(Common const& held) {
  if constexpr (std::is_same_v<Common, Own>) {
    return held;
  } else if constexpr (std::is_same_v<Own, no_permit>) {
    return Own{};
  } else {
    auto const* const own = get_if<Own>(&held);
    return own == nullptr ? Own{} : *own;
  }
}

/// The grant of a policy: a permit, a pass or a ticket; nothing where the role is not played.
template <class P>
struct grant_of : std::type_identity<no_permit> {};
template <class P>
  requires requires { typename P::permit_type; }
struct grant_of<P> : std::type_identity<typename P::permit_type> {};
template <class P>
  requires requires { typename P::pass_type; }
struct grant_of<P> : std::type_identity<typename P::pass_type> {};
template <class P>
  requires requires { typename P::ticket_type; }
struct grant_of<P> : std::type_identity<typename P::ticket_type> {};

template <class... Ps>
using held_by_choice =
    typename common_held<typename unique_types<no_permit, type_list<>, typename grant_of<Ps>::type...>::type>::type;

/// A handle of another policy: `shared`, `borrowed`, a lease, `long_poll`, `striped`.
template <class P>
concept HoldsAnother = requires(P const& handle) { handle.policy(); };
/// A policy that is chosen at run time.
template <class P>
concept IsChoice = requires(P const& chosen) { chosen.visit([](auto const& /*policy*/) {}); };

/// Calls `visitor` with the policy of a handle, or with the one that is chosen.
template <class Holder, class Visitor>
constexpr decltype(auto) visit_policy(Holder const& holder, Visitor const& visitor) {
  if constexpr (HoldsAnother<Holder>) {
    return visitor(holder.policy());
  } else {
    return holder.visit(visitor);
  }
}

/// Calls `tell(policy, own)` where a policy plays the role; `own` is that policy's part of what an attempt holds.
constexpr void tell_chosen(auto const& holder, auto const& held, auto const& tell) {
  detail::visit_policy(holder, [&]<class P>(P const& policy) {
    if constexpr (!is_absent<P>) tell(policy, as_own<typename grant_of<P>::type>(held));
  });
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
