// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_SHARING_BORROWED_HPP
#define ANEW_SHARING_BORROWED_HPP

#include <string>

#include "anew/concept/internal/catalogue.hpp"
#include "anew/concept/roles.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/sharing/internal/forwarded.hpp"

namespace anew::inline ANEW_ABI {

/// A quota, gate or pacer that lives elsewhere: a pointer to it that is a policy itself.
///
/// `adjusted(strategy, policies...)` makes one of each quota, gate and pacer that cannot be copied.
///
/// Models: Quota, Gate or Pacer, as `Policy` does (8 bytes)
/// Formula: none
/// Requires: Policy is a quota, a gate or a pacer, and outlives this
/// Cost: a pointer to follow
/// Choose it when something else keeps the policy alive. Not when nobody does: shared.
/// Source: none
template <class Policy>
class borrowed : public sharing::forwarded<Policy, borrowed<Policy>> {
 public:
  constexpr explicit borrowed(Policy const& policy) noexcept : policy_{&policy} {}
  explicit borrowed(Policy const&&) = delete;

  [[nodiscard]] constexpr Policy const& policy() const noexcept { return *policy_; }

  [[nodiscard]] std::string describe() const
    requires detail::DescribesItself<Policy>
  {
    return policy().describe();
  }

 private:
  Policy const* policy_;
};

}  // namespace anew::inline ANEW_ABI

#endif
