// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_PROCESS_INTERNAL_OWN_PERMIT_HPP
#define ANEW_BRIDGES_PROCESS_INTERNAL_OWN_PERMIT_HPP

#include <cstdint>
#include <optional>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/fork.hpp"

namespace anew::inline ANEW_ABI::detail {

/// A permit and, in its upper half, how many forks lie before the process that took it. A forked child has copies of the
/// permits of its parent: the parent gives them back, and the child nothing.
using own_permit = std::uint64_t;

[[nodiscard]] inline std::optional<own_permit> owned(std::optional<std::uint32_t> granted) noexcept {
  if (!granted) return std::nullopt;
  return *granted == 0 ? 0 : own_permit{counted_fork_generation()} << 32U | *granted;
}
[[nodiscard]] inline std::uint32_t held_by(own_permit permit) noexcept { return static_cast<std::uint32_t>(permit); }
/// True for no permit, too.
[[nodiscard]] inline bool is_own(own_permit permit) noexcept {
  return permit == 0 || permit >> 32U == counted_fork_generation();
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
