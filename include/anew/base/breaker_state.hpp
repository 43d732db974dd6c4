// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_BREAKER_STATE_HPP
#define ANEW_BASE_BREAKER_STATE_HPP

#include <cstdint>

#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// Where a circuit breaker stands. A cool_down is open while it cools.
enum class breaker_state : std::uint8_t {
  closed,     ///< attempts go through, and their ends are counted
  open,       ///< none goes through, until the time is over and one comes
  half_open,  ///< a few probes go through; their ends decide
};

[[nodiscard]] constexpr char const* to_string(breaker_state state) noexcept {
  return detail::name_in({"closed", "open", "half_open"}, state);
}

/// A change of a gate's state, by an attempt, its end or by hand. `{}` means that nothing changed.
struct gate_change {
  breaker_state from = breaker_state::closed;
  breaker_state to = breaker_state::closed;

  [[nodiscard]] constexpr explicit operator bool() const noexcept { return from != to; }
  [[nodiscard]] friend constexpr bool operator==(gate_change const&, gate_change const&) noexcept = default;
};

}  // namespace anew::inline ANEW_ABI

#endif
