// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_COMPOSE_CHOICE_HPP
#define ANEW_COMPOSE_CHOICE_HPP

#include "anew/concept/roles.hpp"
#include "anew/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// A policy that is chosen at run time among `Policies`, all of which play `Role`.
///
/// It decides as the chosen policy does in every driver, and describes itself as that. An optional role may be left
/// unplayed: `choice<roles::gate, roles::absent<roles::gate>, circuit_breaker<>>`. By default it holds the first policy.
///
/// Models: the concept of `Role`; every role but observer and history
/// Formula: that of the chosen policy
/// Requires: policies of different types, each of which models the concept of `Role`
/// Cost: the largest policy and an index in the strategy, an indirect call for each question; no allocation. The token
/// holds what the most demanding policy remembers. A choice among policies some of which ask for the time is told the time
/// Choose it where a setting says which policy it is. Not where the values alone vary: construct a policy from values.
/// Source: `std::variant`
template <class Role, class... Policies>
class choice;

}  // namespace anew::inline ANEW_ABI

#include "anew/compose/internal/choice_of_delay.hpp"    // IWYU pragma: export
#include "anew/compose/internal/choice_of_limit.hpp"    // IWYU pragma: export
#include "anew/compose/internal/choice_of_nesting.hpp"  // IWYU pragma: export
#include "anew/compose/internal/choice_of_shared.hpp"   // IWYU pragma: export

#endif
