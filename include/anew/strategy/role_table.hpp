// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STRATEGY_ROLE_TABLE_HPP
#define ANEW_STRATEGY_ROLE_TABLE_HPP

#include <type_traits>

#include <boost/hana/basic_tuple.hpp>

#include "anew/base/platform/compiler.hpp"
#include "anew/policies/backoff/exponential.hpp"
#include "anew/policies/classifier/retry_info.hpp"
#include "anew/policies/hint/server.hpp"
#include "anew/policies/jitter/full.hpp"
#include "anew/policies/limits/max_attempts.hpp"
#include "anew/policies/quota/unlimited.hpp"
#include "anew/roles/attempt_timeout.hpp"
#include "anew/roles/backoff.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/clock.hpp"
#include "anew/roles/deadline.hpp"
#include "anew/roles/gate.hpp"
#include "anew/roles/hint.hpp"
#include "anew/roles/history.hpp"
#include "anew/roles/jitter.hpp"
#include "anew/roles/max_attempts.hpp"
#include "anew/roles/nesting.hpp"
#include "anew/roles/observer.hpp"
#include "anew/roles/pacer.hpp"
#include "anew/roles/quota.hpp"
#include "anew/roles/random_source.hpp"
#include "anew/roles/reset.hpp"
#include "anew/roles/roles.hpp"

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
