// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_CHOICE_HPP
#define ANEW_RUN_TIME_CHOICE_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class Role>
struct role_can_be_chosen {
  static constexpr bool value = false;  // each role that can has a specialization of choice
};

}  // namespace detail

/// A policy that is chosen at run time among `Policies`, all of which play `Role`.
///
/// It decides in every driver as the chosen policy does, and `describe()` prints the chosen policy. An optional role
/// may be unplayed: `choice<roles::gate, roles::absent<roles::gate>, circuit_breaker<>>`. By default it holds the first
/// policy. `choice(policy)` holds that policy; `choice(std::in_place_type<P>, arguments...)` and, before the strategy is
/// used, `emplace<P>(arguments...)` construct it in place.
///
/// Models: the concept of `Role`; every role but observer and history
/// Formula: that of the chosen policy
/// Requires: policies of different types, each of which models the concept of `Role`
/// Cost: the largest policy and an index in the strategy, an indirect call for each question; no allocation. The token
/// has room for the state of every alternative. The clock is read if one of the alternatives needs the time
/// Choose it where a setting selects the policy. Not where only the values vary: construct a policy from values.
/// Source: `std::variant`
template <class Role, class... Policies>
class choice {
 public:
  using role = Role;
  static constexpr bool is_sound = false;
  void on_end(auto const& /*event*/) const {}  // a model of Observer, so that the message is the one below
  static consteval void explain() {
    static_assert(detail::role_can_be_chosen<Role>::value,
                  "anew::choice<Role, Policies...> requires a role of a strategy other than observer and history; a "
                  "choice for this role does not exist. Compose one observer that decides what it does, or "
                  "anew::fan_out<Observers...>");
  }
};

}  // namespace anew::inline ANEW_ABI

#include "anew/run_time/internal/choice_of_roles.hpp"  // IWYU pragma: export

#endif
