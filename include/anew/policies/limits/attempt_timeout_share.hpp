// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_LIMITS_ATTEMPT_TIMEOUT_SHARE_HPP
#define ANEW_POLICIES_LIMITS_ATTEMPT_TIMEOUT_SHARE_HPP

#include <cstdint>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/rational.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// One attempt takes at most `Share` of what remains of the call's deadline when it begins.
///
/// Early attempts get more, late ones less, and a hanging first attempt always leaves time for another. A half of 1 s:
/// 500 ms, then 250 ms, then 125 ms, less the delays. A whole, `attempt_timeout_share<rational{1}>`, makes the deadline itself end
/// the attempt in flight, where an asynchronous driver ends attempts; `deadline` alone interrupts nothing.
/// `attempt_timeout_share{rational{1, 2}}` takes a value known at run time and throws `std::invalid_argument` where the
/// requirement fails.
///
/// Models: AttemptTimeout (needs a deadline)
/// Formula: remaining * Share, rounded up
/// Requires: 0 < Share <= 1; a deadline in the strategy
/// Cost: a multiplication and a division per attempt; 8 bytes in the attempt that an operation is given
/// Choose it where the deadline differs from call to call and a fixed limit would be too long for some. Not where the
/// server's latency is known: attempt_timeout, with a limit above it.
/// Source: none; what attempt_timeout names knows fixed times alone
template <rational Share>
class attempt_timeout_share {
 public:
  using role = roles::attempt_timeout;

  /// A strategy without a deadline cannot have it.
  static constexpr bool needs_deadline = true;

  constexpr attempt_timeout_share() noexcept = default;

  constexpr explicit attempt_timeout_share(rational share)
    requires(!detail::is_known<Share>)
      : share_{detail::checked(share, fault_of(share))} {}
  static constexpr detail::value_fault fault_of(rational share) {
    return detail::value_fault{"attempt_timeout_share"}.unless(share.num != 0 && share.num <= share.den,
                                                               "share must be above 0 and at most 1", share);
  }

  [[nodiscard]] constexpr duration of(duration remaining) const noexcept {
    if (remaining == duration::max()) return remaining;  // a call without an end has no part either
    if (remaining <= duration::zero()) return duration::zero();
    // Rounded up: many a socket takes a limit of zero for none.
    auto const parts = static_cast<detail::uint128>(remaining.count()) * share_.get().num + (share_.get().den - 1U);
    return duration{static_cast<std::int64_t>(parts / share_.get().den)};
  }

  [[nodiscard]] std::string describe() const { return detail::written("attempt_timeout_share", share_.get()); }

  static constexpr detail::kept_rules is_sound{detail::is_known<Share>, fault_of(Share)};
  template <class Self>
  static consteval void explain() {
    static_assert(detail::keeps_rule<Self, 1>,
                  "anew::attempt_timeout_share<Share> requires 0 < Share <= 1; Share is out of range. "
                  "Write anew::rational{1, 2} for half of the remaining time");
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Share, attempt_timeout_share> share_;
};

attempt_timeout_share(rational) -> attempt_timeout_share<at_run_time<rational>>;

}  // namespace anew::inline ANEW_ABI

#endif
