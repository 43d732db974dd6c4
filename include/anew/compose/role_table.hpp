// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_COMPOSE_ROLE_TABLE_HPP
#define ANEW_COMPOSE_ROLE_TABLE_HPP

#include <type_traits>

#include <boost/hana/basic_tuple.hpp>

#include "anew/backoff/exponential.hpp"
#include "anew/classifier/retry_info.hpp"
#include "anew/concept/attempt_timeout.hpp"
#include "anew/concept/backoff.hpp"
#include "anew/concept/classifier.hpp"
#include "anew/concept/clock.hpp"
#include "anew/concept/deadline.hpp"
#include "anew/concept/gate.hpp"
#include "anew/concept/hint.hpp"
#include "anew/concept/history.hpp"
#include "anew/concept/jitter.hpp"
#include "anew/concept/max_attempts.hpp"
#include "anew/concept/nesting.hpp"
#include "anew/concept/observer.hpp"
#include "anew/concept/pacer.hpp"
#include "anew/concept/quota.hpp"
#include "anew/concept/random_source.hpp"
#include "anew/concept/reset.hpp"
#include "anew/concept/roles.hpp"
#include "anew/hint/server.hpp"
#include "anew/jitter/full.hpp"
#include "anew/max_attempts/max_attempts.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/quota/unlimited.hpp"

/// The only list of the roles. Each role is described by its `row`, next to its concept.
namespace anew::inline ANEW_ABI::detail {

namespace hana = boost::hana;

/// A role and its default policy.
template <class Role, class Fallback = absent<Role>>
struct entry {
  using role = Role;
  using fallback = Fallback;
};

/// In the order of `basic_strategy`'s parameters, which is that of `describe()`.
using role_table = hana::basic_tuple<entry<roles::backoff, exponential_backoff<>>,     //
                                     entry<roles::jitter, full_jitter>,                //
                                     entry<roles::quota, unlimited_quota>,             //
                                     entry<roles::classifier, retry_info_classifier>,  //
                                     entry<roles::max_attempts, max_attempts<3>>,      //
                                     entry<roles::hint, server_hint<>>,                //
                                     entry<roles::deadline>,                           //
                                     entry<roles::attempt_timeout>,                    //
                                     entry<roles::gate>,                               //
                                     entry<roles::pacer>,                              //
                                     entry<roles::reset>,                              //
                                     entry<roles::nesting>,                            //
                                     entry<roles::observer>,                           //
                                     entry<roles::history>,                            //
                                     entry<roles::clock>,                              //
                                     entry<roles::random_source>                       //
                                     >;

template <class Role, class... Entries>
consteval unsigned bit_in(hana::basic_tuple<Entries...> const* /*table*/) {
  unsigned found = 0;
  unsigned bit = 1;
  ((found |= std::is_same_v<Role, typename Entries::role> ? bit : 0U, bit <<= 1U), ...);
  return found;
}

/// A bit of its own for each role, and 0 for a type that is not a role.
template <class Role>
inline constexpr unsigned bit_of = detail::bit_in<Role>(static_cast<role_table const*>(nullptr));

template <class P>
inline constexpr bool is_known_role = bit_of<typename P::role> != 0;
template <class P>
inline constexpr bool models_its_role = row<typename P::role>::template models<P>;

}  // namespace anew::inline ANEW_ABI::detail

#endif
