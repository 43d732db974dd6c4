// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_SHARING_INTERNAL_IS_AT_REST_HPP
#define ANEW_POLICIES_SHARING_INTERNAL_IS_AT_REST_HPP

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/sharing/internal/grants.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Whether a policy that is not in use decides as a new one would: one that is untouched, or where it cannot say that,
/// a quota whose `balance()` is its `capacity()`, a gate that would refuse at no time. Of a handle, the policy inside is
/// asked. True where the policy has no function that says so: nothing is known of it then.
template <class Policy>
[[nodiscard]] bool is_at_rest(Policy const& policy) {
  if constexpr (requires { policy.is_untouched(); }) {
    return policy.is_untouched();
  } else if constexpr (HoldsAnother<Policy>) {
    return detail::is_at_rest(policy.policy());
  } else if constexpr (PlaysRole<Policy, roles::quota> && requires { policy.balance() == policy.capacity(); }) {
    return policy.balance() == policy.capacity();
  } else if constexpr (requires { policy.would_refuse(time_point::min()); }) {
    return !policy.would_refuse(time_point::min());
  } else {
    return true;
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
