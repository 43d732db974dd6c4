// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_COMPOSE_INTERNAL_NORMALIZE_HPP
#define ANEW_COMPOSE_INTERNAL_NORMALIZE_HPP

#include <type_traits>

#include "anew/compose/basic_strategy.hpp"
#include "anew/compose/role_table.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/internal/slots.hpp"

/// From an unordered pack of policies to the one canonical type: Hana walks the table of roles once, each look-up in the
/// pack is overload resolution. Of Hana one header is enough: what `hana::unpack` dispatches to is asked itself, because
/// `<boost/hana/unpack.hpp>` is four times as long.
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

/// A strategy's own policies as a table: what `with<>` falls back on.
template <class Strategy>
struct own_table;
template <class... Ps>
struct own_table<basic_strategy<Ps...>> {
  using type = hana::basic_tuple<entry<typename Ps::role, Ps>...>;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
