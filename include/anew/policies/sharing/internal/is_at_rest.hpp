// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_SHARING_INTERNAL_IS_AT_REST_HPP
#define ANEW_POLICIES_SHARING_INTERNAL_IS_AT_REST_HPP

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/sharing/internal/forwarded.hpp"
#include "anew/roles/gate.hpp"
#include "anew/roles/pacer.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Whether a policy that is not in use decides as a new one would: one that is untouched, or where it cannot say that,
/// a quota whose `balance()` is its `capacity()`, a gate that lets an attempt in at any time, a pacer that admits at once.
/// Of a handle, the policy inside is asked. True where the policy has no function that says so without the time: nothing
/// is known of it then.
template <class Policy>
[[nodiscard]] bool is_at_rest(Policy const& policy) {
  if constexpr (requires { policy.is_untouched(); }) {
    return policy.is_untouched();
  } else if constexpr (HoldsAnother<Policy>) {
    return detail::is_at_rest(policy.policy());
  } else if constexpr (PlaysRole<Policy, roles::quota> && requires { policy.balance() == policy.capacity(); }) {
    return policy.balance() == policy.capacity();
  } else if constexpr (EntersAtOnce<Policy>) {
    auto const pass = policy.enter_at_once();
    if (pass) policy.release(*pass);
    return pass.has_value();
  } else if constexpr (requires { policy.would_refuse(time_point::min()); }) {
    return !policy.would_refuse(time_point::min());
  } else if constexpr (AdmitsAtOnce<Policy>) {
    return policy.admits_at_once();
  } else {
    return true;
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
