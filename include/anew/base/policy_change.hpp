// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_POLICY_CHANGE_HPP
#define ANEW_BASE_POLICY_CHANGE_HPP

#include <cstdint>

#include "anew/base/breaker_state.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// The role of a policy that changed.
enum class changed : std::uint8_t { gate, quota, pacer };

[[nodiscard]] constexpr char const* to_string(changed of) noexcept {
  return detail::name_in({"gate", "quota", "pacer"}, of);
}
/// The state's name in logs and labels: a quota is "granting" or "empty", a pacer "free" or "slowing".
[[nodiscard]] constexpr char const* to_string(changed of, breaker_state state) noexcept {
  if (of == changed::quota) return detail::name_in({"granting", "empty"}, state);
  if (of == changed::pacer) return detail::name_in({"free", "slowing"}, state);
  return to_string(state);
}

/// A change of state of a gate, a quota or a pacer, for observers. `open` is the state that limits, whatever the role: an
/// empty quota and a slowing pacer are open.
struct policy_change {
  breaker_state from;
  breaker_state to;
  changed of;

  constexpr policy_change(gate_change change, changed who = changed::gate) noexcept  // NOLINT(*-explicit-*)
      : from{change.from}, to{change.to}, of{who} {}
  [[nodiscard]] friend constexpr bool operator==(policy_change const&, policy_change const&) noexcept = default;
};

}  // namespace anew::inline ANEW_ABI

#endif
