// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_INTERNAL_ATTEMPT_PLACE_HPP
#define ANEW_BRIDGES_ASIO_INTERNAL_ATTEMPT_PLACE_HPP

#include <atomic>
#include <new>
#include <type_traits>

#include "anew/base/attempt.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/asio/internal/net.hpp"
#include "anew/bridges/asio/internal/timer_handler.hpp"

/// The state of an attempt under way, in its call. Parts that the call cannot use are empty.
namespace anew::inline ANEW_ABI::detail {

/// The attempt, for an operation that takes it; it lives until the attempt is over.
template <bool IsTaken>
struct attempt_slot {
  static_assert(std::is_trivially_destructible_v<attempt>);
  attempt_slot() noexcept {}  // NOLINT(modernize-use-equals-default): nothing is in the union
  ANEW_INLINE attempt& emplace(attempt::parts const& parts) {
    return *::new (static_cast<void*>(&held)) attempt{parts};
  }

 private:
  union {
    attempt held;
  };
};
template <>
struct attempt_slot<false> {};

/// How an attempt is cancelled, if anything can cancel it: the caller's slot, a timeout, or another attempt that won.
struct attempt_signal {
  net::cancellation_signal signal;
  bool is_passed_on = false;
};
struct no_attempt_signal {};

/// For an attempt that nothing can cancel.
struct no_running_flag {
  explicit no_running_flag(bool /*is_running*/) noexcept {}
  no_running_flag& operator=(bool /*is_running*/) noexcept { return *this; }
};

/// A time limit of an attempt under way.
template <class Call>
struct attempt_timeout_state {
  timer_wait_of<Call> wait;
  bool is_over = false;  ///< the limit came before the attempt's end
};
struct no_limit_state {
  static constexpr bool is_over = false;
};

template <class Call, bool TakesAttempt, bool IsLimited, bool MayCancel, bool IsForeign>
struct attempt_place {
  ANEW_INLINE attempt_place() noexcept : is_running{false} {}

  ANEW_NO_UNIQUE_ADDRESS attempt_slot<TakesAttempt> told;
  ANEW_NO_UNIQUE_ADDRESS std::conditional_t<IsLimited, attempt_timeout_state<Call>, no_limit_state> limit;
  ANEW_NO_UNIQUE_ADDRESS std::conditional_t<MayCancel, attempt_signal, no_attempt_signal> cancels;
  /// Whether its operation has not completed, so that its slot may be emitted. A callback API completes in any thread,
  /// and may then leave a dangling handler in the slot.
  ANEW_NO_UNIQUE_ADDRESS
  // NOLINTNEXTLINE(modernize-use-default-member-init): a member that may be empty has no initialiser of its own
  std::conditional_t<IsForeign, std::atomic<bool>, std::conditional_t<MayCancel, bool, no_running_flag>> is_running;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
