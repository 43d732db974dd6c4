// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_SHARING_INTERNAL_HANDLE_OF_HPP
#define ANEW_POLICIES_SHARING_INTERNAL_HANDLE_OF_HPP

#include <string>
#include <type_traits>

#include "anew/base/internal/inner.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/sharing/internal/forwarded.hpp"
#include "anew/roles/internal/explain_members.hpp"
#include "anew/roles/internal/members.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI::detail {

template <class Policy>
inline constexpr bool is_shared_state =
    PlaysRole<Policy, roles::quota> || PlaysRole<Policy, roles::gate> || PlaysRole<Policy, roles::pacer>;

template <class Policy>
inline constexpr bool is_sound_to_share = false;
template <class Policy>
  requires is_shared_state<Policy> && (!IsMarkedUnsound<Policy>)
inline constexpr bool is_sound_to_share<Policy> = members_are_callable<Policy>;

template <class Policy>
consteval void explain_sharing() {
  if constexpr (IsMarkedUnsound<Policy>) {
    Policy::explain();
  } else if constexpr (is_shared_state<Policy>) {
    explains_members::explain<Policy>();
  } else {
    static_assert(is_shared_state<Policy>,
                  "anew::shared<Policy> and anew::partitioned<Key, Policy> require a quota, a gate or a pacer; this "
                  "policy has no state that calls share. Copy it into each strategy instead");
  }
}

}  // namespace anew::inline ANEW_ABI::detail

namespace anew::inline ANEW_ABI::sharing {

/// Base of a handle: forwards to its `policy()`, whatever the role.
template <class Policy, class Handle>
class handle_of : public forwarded<Handle, typename Policy::role, Policy> {
 public:
  using role = std::conditional_t<detail::is_shared_state<Policy>, typename Policy::role, roles::quota>;
  static constexpr bool forwards_members = true;
  static constexpr bool is_sound = detail::is_sound_to_share<Policy>;
  static consteval void explain() { detail::explain_sharing<Policy>(); }

  [[nodiscard]] std::string describe() const
    requires detail::DescribesItself<Policy>
  {
    return std::string{Handle::word}.append("(").append(this->handle().policy().describe()).append(")");
  }
};

}  // namespace anew::inline ANEW_ABI::sharing

#endif
