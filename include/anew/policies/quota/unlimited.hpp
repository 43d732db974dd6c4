// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_QUOTA_UNLIMITED_HPP
#define ANEW_POLICIES_QUOTA_UNLIMITED_HPP

#include <cstdint>
#include <optional>
#include <string>

#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/quota.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Never refuses a retry.
///
/// Models: Quota (empty)      Cost: none
/// Formula: none
/// Choose it for calls that no other client makes. Not against a service: with m attempts a service that is down gets m
/// times its load, for as long as it is down; token_bucket ends that after a burst.
/// Source: none
struct unlimited_quota {
  using role = roles::quota;
  using permit_type = no_permit;
  [[nodiscard]] static constexpr std::optional<no_permit> try_acquire(failure const& /*f*/) noexcept {
    return no_permit{};
  }
  static constexpr void on_success(no_permit /*held*/) noexcept {}
  static constexpr void release(no_permit /*held*/) noexcept {}
  /// Returns its promises at so many attempts of a call: `quota_bounds`. Include anew/bounds.hpp.
  template <class Promise = detail::quota_promise>
  [[nodiscard]] static constexpr auto promises(std::uint64_t attempts) noexcept {
    return Promise::of_unlimited(attempts);
  }
  [[nodiscard]] static std::string describe() { return "unlimited_quota"; }
};

}  // namespace anew::inline ANEW_ABI

#endif
