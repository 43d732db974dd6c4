// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_COMPOSE_INTERNAL_CHOICE_HELD_HPP
#define ANEW_COMPOSE_INTERNAL_CHOICE_HELD_HPP

#include <type_traits>
#include <variant>

#include "anew/compose/internal/choice_base.hpp"
#include "anew/concept/quota.hpp"
#include "anew/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::detail {

/// What an attempt holds, of whichever policy: the policies' own type where they agree; else a variant, in which what
/// means nothing to the policy is nothing.
template <class Held>
struct common_held;
template <>
struct common_held<type_list<>> {
  using type = no_permit;
};
template <class Only>
struct common_held<type_list<Only>> {
  using type = Only;
};
template <class... Held>
struct common_held<type_list<Held...>> {
  using type = std::variant<std::monostate, Held...>;
};
template <class... Held>
using held_by_choice = typename common_held<typename unique_types<no_permit, type_list<>, Held...>::type>::type;

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
    auto const* const own = std::get_if<Own>(&held);
    return own == nullptr ? Own{} : *own;
  }
}

template <class P>
struct pass_of {
  using type = no_permit;
};
template <class P>
  requires requires { typename P::pass_type; }
struct pass_of<P> {
  using type = typename P::pass_type;
};
template <class P>
struct permit_of {
  using type = no_permit;
};
template <class P>
  requires requires { typename P::permit_type; }
struct permit_of<P> {
  using type = typename P::permit_type;
};
template <class P>
struct ticket_of {
  using type = no_permit;
};
template <class P>
  requires requires { typename P::ticket_type; }
struct ticket_of<P> {
  using type = typename P::ticket_type;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
