// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_SHARING_BORROWED_HPP
#define ANEW_POLICIES_SHARING_BORROWED_HPP

#include <string>

#include "anew/base/internal/parameter.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/sharing/internal/handle_of.hpp"
#include "anew/roles/internal/catalogue.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// A pointer to a quota, gate or pacer that lives elsewhere, as a policy.
///
/// `adjusted(strategy, policies...)` borrows each quota, gate and pacer that cannot be copied.
///
/// Models: Quota, Gate or Pacer, as `Policy` does (8 bytes)
/// Formula: none
/// Requires: Policy is a quota, a gate or a pacer, and outlives the pointer
/// Cost: a pointer to follow
/// Choose it when another object keeps the policy alive. Otherwise: shared.
/// Source: none
template <class Policy>
class borrowed : public sharing::handle_of<Policy, borrowed<Policy>> {
 public:
  constexpr explicit borrowed(Policy const& policy) noexcept : policy_{&policy} {}
  // Compilers print the line of a deleted function, and with it the comment on that line.
  explicit borrowed(Policy const&& gone)  // anew: it borrows a policy that you keep, not one of a temporary
      = delete;

  [[nodiscard]] constexpr Policy const& policy() const noexcept { return *policy_; }

  [[nodiscard]] constexpr auto run_time_form() const
    requires detail::DeclaresRunTimeForm<Policy>
  {
    return policy().run_time_form();
  }

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
