// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_QUOTA_STATE_HPP
#define ANEW_GET_QUOTA_STATE_HPP

#include <chrono>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "anew/quota/unlimited.hpp"

namespace anew_get {

/// The balance of the shared quota. Some have no fixed most.
struct quota_state {
  bool is_limited = false;
  std::uint32_t balance = 0;
  std::optional<std::uint32_t> capacity;
};

/// Of any quota: of a choice the chosen one, of a wrapper the one inside.
template <class Quota>
[[nodiscard]] quota_state state_of(Quota const& quota) {
  if constexpr (requires { quota.index(); }) {
    return quota.visit([](auto const& chosen) { return state_of(chosen); });
  } else if constexpr (requires { quota.policy(); }) {
    return state_of(quota.policy());
  } else {
    quota_state now{!std::is_same_v<Quota, anew::unlimited_quota>, 0, std::nullopt};
    if constexpr (requires { quota.capacity(); }) now.capacity = static_cast<std::uint32_t>(quota.capacity());
    if constexpr (requires { quota.balance(); }) {
      now.balance = static_cast<std::uint32_t>(quota.balance());
    } else if constexpr (requires { quota.balance(anew::time_point{}); }) {
      now.balance = quota.balance(std::chrono::steady_clock::now());
    }
    return now;
  }
}

}  // namespace anew_get

#endif
