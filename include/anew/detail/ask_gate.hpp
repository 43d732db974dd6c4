// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DETAIL_ASK_GATE_HPP
#define ANEW_DETAIL_ASK_GATE_HPP

#include "anew/concept/gate.hpp"
#include "anew/config.hpp"
#include "anew/duration.hpp"
#include "anew/failure.hpp"
#include "anew/random.hpp"
#include "anew/roles.hpp"

/// What a strategy asks and tells a gate, by the optional functions where it has them.
namespace anew::inline ANEW_ABI::detail {

/// `place` is what a token keeps for the gate.
template <class G, class Place>
constexpr auto ask_gate(G const& gate, [[maybe_unused]] Place& place, time_point now) {
  if constexpr (KeepsOrder<G>) {
    return gate.try_enter(now, place.value);
  } else {
    return gate.try_enter(now);
  }
}

template <class G, class Random>
constexpr void tell_gate(G const& gate, typename G::pass_type pass, failure const& what, time_point now,
                         [[maybe_unused]] Random const& random) {
  if constexpr (!requires { gate.on_failure(pass, what, now, thread_random{}); }) {
    gate.on_failure(pass, what, now);
  } else if constexpr (is_absent<Random>) {
    gate.on_failure(pass, what, now, thread_random{});
  } else {
    gate.on_failure(pass, what, now, random);
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
