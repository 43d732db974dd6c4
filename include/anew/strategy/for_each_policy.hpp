// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STRATEGY_FOR_EACH_POLICY_HPP
#define ANEW_STRATEGY_FOR_EACH_POLICY_HPP

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

/// A role that two strategies play differently, and the text of `describe()` for each of the two policies; empty where
/// the role is not played.
struct policy_difference {
  std::string_view role;
  std::string left;
  std::string right;

  friend bool operator==(policy_difference const&, policy_difference const&) = default;
};

namespace detail {

template <class... Ps>
std::array<std::string, sizeof...(Ps)> words_of_all(basic_strategy<Ps...> const& strategy) {
  auto const words = []<class P>([[maybe_unused]] P const& policy) {
    if constexpr (is_absent<P>) return std::string{};
    return detail::describe_policy(policy);
  };
  return strategy.apply(
      [&words](Ps const&... policies) { return std::array<std::string, sizeof...(Ps)>{words(policies)...}; });
}

}  // namespace detail

/// The roles that two strategies play differently, in the order of the roles: the effect of a change of configuration.
///
/// Policies are compared by what `describe()` prints, so run-time values count and the types do not: `max_attempts<3>` and
/// `max_attempts{3}` are equal. A policy without `describe()` is compared by its type's name alone.
/// Cost: allocates; for logs and tests.
template <class... Ps, class... Qs>
[[nodiscard]] std::vector<policy_difference> strategy_difference(basic_strategy<Ps...> const& left,
                                                                 basic_strategy<Qs...> const& right) {
  constexpr std::array roles{role_name<typename Ps::role>...};
  auto words_left = detail::words_of_all(left);
  auto words_right = detail::words_of_all(right);
  std::vector<policy_difference> found;
  for (std::size_t i = 0; i < roles.size(); ++i) {
    if (words_left[i] != words_right[i])
      found.push_back({roles[i], std::move(words_left[i]), std::move(words_right[i])});
  }
  return found;
}

}  // namespace anew::inline ANEW_ABI

#endif
