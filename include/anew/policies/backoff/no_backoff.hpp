// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_BACKOFF_NO_BACKOFF_HPP
#define ANEW_POLICIES_BACKOFF_NO_BACKOFF_HPP

#include <cstdint>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Retries immediately.
///
/// Models: Backoff (pure, empty)      Cost: none
/// Formula: 0
/// Choose it for a race on this machine (a lock, an optimistic transaction) or with a pacer. Not against a server:
/// callers that do not wait keep an overloaded service down.
/// Source: none
struct no_backoff {
  using role = roles::backoff;
  [[nodiscard]] static constexpr duration delay(std::uint32_t /*retry*/) noexcept { return duration::zero(); }
  [[nodiscard]] static constexpr duration cap() noexcept { return duration::zero(); }
  [[nodiscard]] static std::string describe() { return "no_backoff"; }
};

}  // namespace anew::inline ANEW_ABI

#endif
