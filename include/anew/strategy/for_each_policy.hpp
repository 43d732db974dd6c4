// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STRATEGY_FOR_EACH_POLICY_HPP
#define ANEW_STRATEGY_FOR_EACH_POLICY_HPP

#include <string_view>

#include "anew/base/platform/compiler.hpp"
#include "anew/roles/roles.hpp"
#include "anew/strategy/basic_strategy.hpp"
#include "anew/strategy/describe.hpp"

namespace anew::inline ANEW_ABI {

/// The name of a role, as it stands in anew/roles/roles.hpp: `role_name<roles::quota>` is "quota".
template <class Role>
inline constexpr std::string_view role_name =
    detail::type_name<Role>().substr(detail::type_name<Role>().rfind(':') + 1);

/// Calls `visitor(role, policy)` for each policy of a strategy, in the order of the roles; `role` is a `std::string_view`.
///
/// The first six roles are always played, by the default where you composed nothing. An optional role that you did not
/// compose is omitted. The policy is passed by reference to const: `policy.describe()` prints its values, and a quota's
/// balance is its balance now.
/// Requires: `visitor` is callable with each policy of the strategy; write a generic lambda.
/// Cost: that of the calls; nothing is copied or allocated.
/// Choose it to log or export a configuration. For one policy whose role you know: `strategy.quota()` and the like.
template <class... Ps, class Visitor>
constexpr void for_each_policy(basic_strategy<Ps...> const& strategy, Visitor&& visitor) {
  auto const visit = [&visitor]<class P>([[maybe_unused]] P const& policy) {
    if constexpr (!detail::is_absent<P>) visitor(role_name<typename P::role>, policy);
  };
  strategy.apply([&visit](Ps const&... policies) { (visit(policies), ...); });
}

}  // namespace anew::inline ANEW_ABI

#endif
