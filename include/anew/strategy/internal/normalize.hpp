// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STRATEGY_INTERNAL_NORMALIZE_HPP
#define ANEW_STRATEGY_INTERNAL_NORMALIZE_HPP

#include <type_traits>

#include "anew/base/internal/slots.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/strategy/basic_strategy.hpp"
#include "anew/strategy/role_table.hpp"

/// Turns an unordered pack of policies into the canonical type: Hana walks the table of roles once, and overload
/// resolution finds each role's policy in the pack. The code calls what `hana::unpack` dispatches to, because one
/// header of Hana is enough for that, and `<boost/hana/unpack.hpp>` is four times as long.
namespace anew::inline ANEW_ABI::detail {

template <class... Ps>
struct fill {
  template <class... Entries>
  constexpr auto operator()(Entries... /*table*/) const {
    return std::type_identity<basic_strategy<pick_t<typename Entries::role, typename Entries::fallback, Ps...>...>>{};
  }
};

template <class Table, class... Ps>
using normalized = typename decltype(hana::unpack_impl<hana::basic_tuple_tag>::apply(Table{}, fill<Ps...>{}))::type;

/// A strategy's own policies as a table, which `with<>` uses for all other roles.
template <class Strategy>
struct own_table;
template <class... Ps>
struct own_table<basic_strategy<Ps...>> : std::type_identity<hana::basic_tuple<entry<typename Ps::role, Ps>...>> {};

}  // namespace anew::inline ANEW_ABI::detail

#endif
