// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_LIMITS_UNBOUNDED_HPP
#define ANEW_POLICIES_LIMITS_UNBOUNDED_HPP

#include <cstdint>
#include <string>

#include "anew/base/platform/compiler.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Any number of attempts: only a success, a final error, the quota, a deadline or a stop request ends the call.
///
/// Models: MaxAttempts (empty)      Cost: none
/// Formula: none
/// Choose it beside a deadline, or for a background task that a stop token ends. Not without either: the call may
/// never return.
/// Source: none
struct unbounded {
  using role = roles::max_attempts;
  [[nodiscard]] static constexpr bool permits_another(std::uint32_t /*made*/) noexcept { return true; }
  [[nodiscard]] static std::string describe() { return "unbounded"; }
};

}  // namespace anew::inline ANEW_ABI

#endif
