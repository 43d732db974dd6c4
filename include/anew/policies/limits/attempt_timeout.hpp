// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_LIMITS_ATTEMPT_TIMEOUT_HPP
#define ANEW_POLICIES_LIMITS_ATTEMPT_TIMEOUT_HPP

#include <cstdint>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/rational.hpp"
#include "anew/roles/internal/catalogue.hpp"
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
    // Rounded up, because many sockets read a limit of zero as no limit.
    auto const parts = static_cast<detail::uint128>(remaining.count()) * share_.get().num + (share_.get().den - 1U);
    return duration{static_cast<std::int64_t>(parts / share_.get().den)};
  }

  [[nodiscard]] std::string describe() const { return detail::written("attempt_timeout_share", share_.get()); }

  static constexpr detail::kept_rules is_sound{detail::is_known<Share>, fault_of(Share)};
  static consteval void explain() {
    static_assert(detail::keeps_rule<attempt_timeout_share, 1>,
                  "anew::attempt_timeout_share<Share> requires 0 < Share <= 1; Share is out of range. "
                  "Write anew::rational{1, 2} for half of the remaining time");
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Share, attempt_timeout_share> share_;
};

attempt_timeout_share(rational) -> attempt_timeout_share<at_run_time<rational>>;

/// One attempt takes at most `Limit`, or what remains of the call's deadline where that is less.
///
/// An operation that takes its `anew::attempt&` reads it from `attempt::limit()` and hands it to its socket: a blocking
/// call cannot be ended from outside. Asynchronous drivers end the attempt: it failed with a time-out, and may have been
/// executed, so that only an operation which is idempotent is tried again. `attempt_timeout<250ms>` is an empty type;
/// `attempt_timeout{limit}` takes a value known at run time and throws `std::invalid_argument` where the requirement
/// fails.
///
/// Elsewhere it is `attemptTimeout` (aws-sdk-kotlin; none by default), the attempt timeout inside the retry of Polly's
/// pipelines (10 s in Microsoft.Extensions.Http.Resilience), `per_try_timeout` (Envoy, within the route's timeout),
/// `TimeLimiter` (resilience4j, as the innermost decorator). gRPC has `perAttemptRecvTimeout`, which its C core reads only
/// with the channel argument that turns hedging on: a plain retry there knows the deadline of the call alone, so that an
/// attempt which hangs uses all of it up.
///
/// Models: AttemptTimeout
/// Formula: min(Limit, remaining)
/// Requires: Limit > 0
/// Cost: 8 bytes in the attempt that an operation is given; nothing for one that takes none
/// Choose it where a lost answer must not use up the whole deadline: above the slowest attempt that is still worth its
/// answer (p99.9, say), or healthy attempts are cut off and made again, which loads a slow server more. Not to bound the
/// call: deadline. Not for long downloads or streams, whose length says nothing.
/// Source: Envoy `per_try_timeout`, aws-sdk-kotlin `attemptTimeout`, Polly's attempt timeout
template <static_duration Limit>
class attempt_timeout {
 public:
  using role = roles::attempt_timeout;

  constexpr attempt_timeout() noexcept = default;

  constexpr explicit attempt_timeout(detail::any_duration limit)
    requires(Limit == run_time)
      : limit_{detail::checked(limit, fault_of(limit))} {}
  static constexpr detail::value_fault fault_of(duration limit) {
    return detail::value_fault{"attempt_timeout"}.above_zero(limit, "limit");
  }

  [[nodiscard]] constexpr duration value() const noexcept { return limit_.get(); }

  [[nodiscard]] constexpr duration of(duration remaining) const noexcept {
    return detail::smaller(limit_.get(), remaining);
  }

  [[nodiscard]] std::string describe() const { return detail::written("attempt_timeout", limit_.get()); }

  static constexpr bool is_sound = detail::is_above_zero<Limit>;
  static consteval void explain() {
    static_assert(detail::is_above_zero<Limit>,
                  "anew::attempt_timeout<Limit> requires Limit > 0; every attempt would time out at once. Omit the "
                  "policy for attempts without a limit");
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Limit, attempt_timeout> limit_;
};

attempt_timeout(detail::any_duration) -> attempt_timeout<run_time>;

}  // namespace anew::inline ANEW_ABI

#endif
