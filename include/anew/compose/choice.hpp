// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_COMPOSE_CHOICE_HPP
#define ANEW_COMPOSE_CHOICE_HPP

#include "anew/concept/roles.hpp"
#include "anew/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// A policy that is chosen at run time among `Policies`, all of which play `Role`.
///
/// It decides in every driver as the chosen policy does, and `describe()` prints the chosen policy. An optional role
/// may be unplayed: `choice<roles::gate, roles::absent<roles::gate>, circuit_breaker<>>`. By default it holds the first
/// policy.
///
/// Models: the concept of `Role`; every role but observer and history
/// Formula: that of the chosen policy
/// Requires: policies of different types, each of which models the concept of `Role`
/// Cost: the largest policy and an index in the strategy, an indirect call for each question; no allocation. The token
/// has room for the state of every alternative. The clock is read if one of the alternatives needs the time
/// Choose it where a setting selects the policy. Not where only the values vary: construct a policy from values.
/// Source: `std::variant`
template <class Role, class... Policies>
class choice;

}  // namespace anew::inline ANEW_ABI

#include "anew/compose/internal/choice_of_delay.hpp"    // IWYU pragma: export
#include "anew/compose/internal/choice_of_limit.hpp"    // IWYU pragma: export
#include "anew/compose/internal/choice_of_nesting.hpp"  // IWYU pragma: export
#include "anew/compose/internal/choice_of_shared.hpp"   // IWYU pragma: export

#endif
