// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ATTEMPT_TIMEOUT_ATTEMPT_TIMEOUT_SHARE_HPP
#define ANEW_ATTEMPT_TIMEOUT_ATTEMPT_TIMEOUT_SHARE_HPP

#include <cstdint>
#include <limits>
#include <string>

#include "anew/concept/roles.hpp"
#include "anew/jitter/proportional.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/platform/internal/invalid_argument.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/internal/stored.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <std::int64_t Num, std::int64_t Den>
struct share_is_above_zero_and_at_most_one {
  static constexpr bool value = (Num == run_time_count && Den == run_time_count) ||
                                (0 < Num && Num <= Den && Den <= std::numeric_limits<std::uint32_t>::max());
};

}  // namespace detail

/// One attempt takes at most `Num / Den` of what remains of the call's deadline when it begins.
///
/// Early attempts get more, late ones less, and a hanging first attempt always leaves time for another. A half of 1 s:
/// 500 ms, then 250 ms, then 125 ms, less the delays. A whole, `attempt_timeout_share<1>`, makes the deadline itself end
/// the attempt in flight, where an asynchronous driver ends attempts; `deadline` alone interrupts nothing.
/// `attempt_timeout_share{fraction{1, 2}}` takes a value known at run time and throws `std::invalid_argument` where the
/// requirement fails.
///
/// Models: AttemptTimeout (needs a deadline)
/// Formula: remaining * Num / Den, rounded up
/// Requires: 0 < Num <= Den <= 2^32-1; a deadline beside it
/// Cost: a multiplication and a division per attempt; 8 bytes in the attempt that an operation is given
/// Choose it where the deadline differs from call to call and a fixed limit would be too long for some. Not where the
/// server's latency is known: attempt_timeout, with a limit above it.
/// Source: none; what attempt_timeout names knows fixed times alone
template <std::int64_t Num, std::int64_t Den = Num == run_time_count ? run_time_count : 1>
class attempt_timeout_share {
 public:
  using role = roles::attempt_timeout;

  /// A strategy without a deadline cannot have it.
  static constexpr bool needs_deadline = true;

  constexpr attempt_timeout_share() noexcept
    requires(Num != run_time_count && Den != run_time_count)
  = default;

  constexpr explicit attempt_timeout_share(fraction share)
    requires(Num == run_time_count && Den == run_time_count)
      : num_{share.num}, den_{share.den} {
    if (share.num == 0 || share.num > share.den) {
      detail::invalid_argument("attempt_timeout_share", "share must be above 0 and at most 1",
                               std::to_string(share.num).append("/").append(std::to_string(share.den)));
    }
  }

  [[nodiscard]] constexpr duration of(duration remaining) const noexcept {
    if (remaining == duration::max()) return remaining;  // a call without an end has no part either
    if (remaining <= duration::zero()) return duration::zero();
    // Rounded up: many a socket takes a limit of zero for none.
    auto const parts = static_cast<detail::uint128>(remaining.count()) * num_.get() + (den_.get() - 1U);
    return duration{static_cast<std::int64_t>(parts / den_.get())};
  }

  [[nodiscard]] std::string describe() const {
    auto text = std::string{"attempt_timeout_share("}.append(std::to_string(num_.get()));
    if (den_.get() != 1) text.append("/").append(std::to_string(den_.get()));
    return text.append(")");
  }

  static constexpr bool is_sound = detail::share_is_above_zero_and_at_most_one<Num, Den>::value;
  template <class Self>
  static consteval void explain() {
    static_assert(detail::share_is_above_zero_and_at_most_one<Num, Den>::value,
                  "anew::attempt_timeout_share<Num, Den> requires 0 < Num <= Den <= 4294967295; this share is out of "
                  "range. Write attempt_timeout_share<1, 2> for half of the remaining time");
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::stored_count<Num, 301> num_;
  ANEW_NO_UNIQUE_ADDRESS detail::stored_count<Den, 302> den_;
};

attempt_timeout_share(fraction) -> attempt_timeout_share<run_time_count, run_time_count>;

}  // namespace anew::inline ANEW_ABI

#endif
