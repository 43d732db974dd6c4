// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_HANA_HANA_STRUCT_HPP
#define ANEW_BRIDGES_HANA_HANA_STRUCT_HPP

#include <concepts>
#include <type_traits>

#include <boost/hana/accessors.hpp>
#include <boost/hana/bool.hpp>
#include <boost/hana/concept/struct.hpp>
#include <boost/hana/equal.hpp>
#include <boost/hana/flatten.hpp>
#include <boost/hana/pair.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>

#include "anew/base/internal/slots.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/roles.hpp"
#include "anew/strategy/adjusted.hpp"
#include "anew/strategy/basic_strategy.hpp"
#include "anew/strategy/describe.hpp"

namespace anew::inline ANEW_ABI {

/// The key of a role in Hana's functions: `hana::at_key(strategy, role_c<roles::quota>)`.
template <class Role>
inline constexpr boost::hana::type<Role> role_c{};

namespace detail {

/// A policy as Hana may copy it: a copy, or where that would be a second budget, `borrowed<Policy>`.
template <class Role>
struct member_of_role {
  template <class... Ps>
  constexpr auto operator()(basic_strategy<Ps...> const& strategy) const {
    return strategy.apply([](Ps const&... policies) {
      value_slots<Ps const&...> all{policies...};
      auto const& policy = detail::take<Role>(all);
      return kept<std::remove_cvref_t<decltype(policy)>>{policy};
    });
  }
};

/// One pair in a tuple for a role that is played, none for one that is not.
template <class P>
constexpr auto accessor_of() {
  using boost::hana::make_pair;
  using boost::hana::make_tuple;
  if constexpr (is_absent<P>) {
    return make_tuple();
  } else {
    return make_tuple(make_pair(role_c<typename P::role>, member_of_role<typename P::role>{}));
  }
}

template <class P>
concept IsEqualityComparable = requires(P const& p) {
  { p == p } -> std::convertible_to<bool>;
};

template <class P>
constexpr bool are_equal_policies([[maybe_unused]] P const& left, [[maybe_unused]] P const& right) {
  if constexpr (IsEqualityComparable<P>) return left == right;
  if constexpr (std::is_empty_v<P>) return true;
  return detail::describe_policy(left) == detail::describe_policy(right);
}

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

namespace boost::hana {

/// Makes a strategy a model of `hana::Struct`: `members`, `keys`, `at_key`, `find`, `for_each`, `fold`, `to_map`, `equal`.
///
/// The keys are the roles that are played, `anew::role_c<Role>`, in their order; an optional role that is not composed
/// is no member, so that `hana::find` says by its type whether there is a gate. Hana copies the members: a quota, a
/// gate and a pacer that cannot be copied are `anew::borrowed<Policy>`, which refers to the strategy's own.
template <class... Ps>
struct accessors_impl<anew::basic_strategy<Ps...>> {
  static constexpr auto apply() { return hana::flatten(hana::make_tuple(anew::detail::accessor_of<Ps>()...)); }
};

/// Strategies of different types are different, at compile time. Of one type: by `==` of a policy, else by what
/// `describe()` prints.
template <class... Ps, class... Qs>
struct equal_impl<anew::basic_strategy<Ps...>, anew::basic_strategy<Qs...>> {
  static constexpr auto apply(anew::basic_strategy<Ps...> const& left, anew::basic_strategy<Qs...> const& right) {
    if constexpr (!std::is_same_v<anew::basic_strategy<Ps...>, anew::basic_strategy<Qs...>>) {
      return hana::false_c;
    } else {
      return left.apply([&right](Ps const&... lefts) {
        return right.apply(
            [&lefts...](Ps const&... rights) { return (anew::detail::are_equal_policies(lefts, rights) && ...); });
      });
    }
  }
};

}  // namespace boost::hana

#endif
