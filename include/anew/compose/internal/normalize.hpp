// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_COMPOSE_INTERNAL_NORMALIZE_HPP
#define ANEW_COMPOSE_INTERNAL_NORMALIZE_HPP

#include <type_traits>

#include <boost/hana/basic_tuple.hpp>

#include "anew/backoff/exponential.hpp"
#include "anew/classifier/retry_info.hpp"
#include "anew/compose/basic_strategy.hpp"
#include "anew/concept/roles.hpp"
#include "anew/hint/server.hpp"
#include "anew/jitter/full.hpp"
#include "anew/max_attempts/max_attempts.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/quota/unlimited.hpp"
#include "anew/value/internal/slots.hpp"

/// From an unordered pack of policies to the one canonical type: Hana walks the fixed catalogue of roles and their
/// defaults once, each look-up in the pack is overload resolution. The only header that includes Hana, and of Hana one
/// header: what `hana::unpack` dispatches to is asked itself, because `<boost/hana/unpack.hpp>` is four times as long.
namespace anew::inline ANEW_ABI::detail {

namespace hana = boost::hana;

template <class Role, class Fallback>
struct entry {
  using role = Role;
  using fallback = Fallback;
};

template <class... Entries>
using catalogue_of = hana::basic_tuple<Entries...>;

/// The roles in the order of `basic_strategy`'s parameters, and what plays a role that nobody composed.
using catalogue = catalogue_of<entry<roles::backoff, exponential_backoff<>>,                   //
                               entry<roles::jitter, full_jitter>,                              //
                               entry<roles::quota, unlimited_quota>,                           //
                               entry<roles::classifier, retry_info_classifier>,                //
                               entry<roles::max_attempts, max_attempts<3>>,                    //
                               entry<roles::hint, server_hint<>>,                              //
                               entry<roles::deadline, absent<roles::deadline>>,                //
                               entry<roles::attempt_timeout, absent<roles::attempt_timeout>>,  //
                               entry<roles::gate, absent<roles::gate>>,                        //
                               entry<roles::pacer, absent<roles::pacer>>,                      //
                               entry<roles::reset, absent<roles::reset>>,                      //
                               entry<roles::nesting, absent<roles::nesting>>,                  //
                               entry<roles::observer, absent<roles::observer>>,                //
                               entry<roles::history, absent<roles::history>>,                  //
                               entry<roles::clock, absent<roles::clock>>,                      //
                               entry<roles::random_source, absent<roles::random_source>>       //
                               >;

template <class... Ps>
struct fill {
  template <class... Entries>
  constexpr auto operator()(Entries... /*catalogue*/) const {
    return std::type_identity<basic_strategy<pick_t<typename Entries::role, typename Entries::fallback, Ps...>...>>{};
  }
};

template <class Catalogue, class... Ps>
using normalized = typename decltype(hana::unpack_impl<hana::basic_tuple_tag>::apply(Catalogue{}, fill<Ps...>{}))::type;

/// A strategy's own policies as a catalogue: what `with<>` falls back on.
template <class Strategy>
struct own_catalogue;
template <class... Ps>
struct own_catalogue<basic_strategy<Ps...>> {
  using type = catalogue_of<entry<typename Ps::role, Ps>...>;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
