// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_QUOTA_STATE_HPP
#define ANEW_GET_QUOTA_STATE_HPP

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

#include "anew/policies/quota/unlimited.hpp"

#include "text.hpp"

namespace anew_get {

/// The balance of the quota that calls share. Not every quota has a capacity.
struct quota_state {
  bool is_limited = false;
  std::uint32_t balance = 0;  // of a bucket on Redis: what this process has leased
  std::optional<std::uint32_t> capacity;
  bool is_leased = false;  // of a bucket on Redis
  std::string trouble;     // why Redis does not answer; empty while it does
};

/// Of any quota: of a choice the chosen one, of a wrapper the one inside.
template <class Quota>
[[nodiscard]] quota_state state_of(Quota const& quota) {
  if constexpr (requires { quota.index(); }) {
    return quota.visit([](auto const& chosen) { return state_of(chosen); });
  } else if constexpr (requires { quota.policy(); }) {
    return state_of(quota.policy());
  } else {
    quota_state now;
    now.is_limited = !std::is_same_v<Quota, anew::unlimited_quota>;
    if constexpr (requires { quota.capacity(); }) now.capacity = static_cast<std::uint32_t>(quota.capacity());
    if constexpr (requires { quota.leased(); }) {
      now.is_leased = true;
      now.balance = quota.leased();
      if (quota.is_away()) {
        now.trouble = printable(quota.last_error());
      } else if (quota.is_late()) {
        now.trouble = "no answer in time";
      }
    } else if constexpr (requires { quota.balance(); }) {
      now.balance = static_cast<std::uint32_t>(quota.balance());
    } else if constexpr (requires { quota.balance(anew::time_point{}); }) {
      now.balance = quota.balance(std::chrono::steady_clock::now());
    }
    return now;
  }
}

}  // namespace anew_get

#endif
