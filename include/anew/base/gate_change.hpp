// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_GATE_CHANGE_HPP
#define ANEW_BASE_GATE_CHANGE_HPP

#include "anew/base/breaker_state.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// A change of a gate's state, by an attempt, its end or by hand. `{}` means that nothing changed.
struct gate_change {
  breaker_state from = breaker_state::closed;
  breaker_state to = breaker_state::closed;

  [[nodiscard]] constexpr explicit operator bool() const noexcept { return from != to; }
  [[nodiscard]] friend constexpr bool operator==(gate_change const&, gate_change const&) noexcept = default;
};

}  // namespace anew::inline ANEW_ABI

#endif
