// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_LIMITS_RESET_AFTER_HPP
#define ANEW_POLICIES_LIMITS_RESET_AFTER_HPP

#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/internal/catalogue.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// An attempt that ran for `Stable` before it failed had succeeded for a while: the call starts over, with all its
/// attempts and its first delay.
///
/// For an operation that lives long and ends by failing: a subscription, a connection that is held. One that comes
/// about and breaks at once, again and again, does not start over: its delays grow and its attempts run out.
/// `reset_after<30s>` is an empty type; `reset_after{stable}` takes a value known at run time and throws
/// `std::invalid_argument` where the requirement fails.
///
/// Models: Reset      Requires: Stable > 0      Formula: starts over when the failed attempt ran for at least Stable
/// Cost: 16 bytes in the token; the clock is read before each attempt and after each failure
/// Choose it for long-lived connections. Not for requests, which are over when they succeed.
/// Source: the wish in the trackers of cenkalti/backoff (#188) and grpc (#2988).
template <static_duration Stable>
class reset_after {
 public:
  using role = roles::reset;

  constexpr reset_after() noexcept = default;

  constexpr explicit reset_after(detail::any_duration stable)
    requires(Stable == run_time)
      : stable_{detail::checked(stable, fault_of(stable))} {}
  static constexpr detail::value_fault fault_of(duration stable) {
    return detail::value_fault{"reset_after"}.above_zero(stable, "stable");
  }

  [[nodiscard]] constexpr bool starts_over(duration ran) const noexcept { return ran >= stable_.get(); }
  [[nodiscard]] constexpr duration value() const noexcept { return stable_.get(); }
  [[nodiscard]] std::string describe() const { return detail::written("reset_after", stable_.get()); }

  static constexpr bool is_sound = detail::is_above_zero<Stable>;
  static consteval void explain() {
    static_assert(detail::is_above_zero<Stable>,
                  "anew::reset_after<Stable> requires Stable > 0; every failure would start the count again, and no "
                  "limit of attempts would hold. Did you mean anew::unbounded?");
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Stable, reset_after> stable_;
};

reset_after(detail::any_duration) -> reset_after<run_time>;

}  // namespace anew::inline ANEW_ABI

#endif
