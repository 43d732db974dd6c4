// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_POLL_POLL_OUTCOME_HPP
#define ANEW_DRIVERS_POLL_POLL_OUTCOME_HPP

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/refused_result.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/drivers/internal/result_slot.hpp"

namespace anew::inline ANEW_ABI {

/// The event that a listener gets before a wait.
struct poll_progress {
  std::uint32_t attempt;              ///< the number of the look that was made last
  directive verdict;                  ///< what the acceptors said of it
  bool failed;                        ///< its request failed; false: not ready
  duration delay;                     ///< until the next look
  std::optional<duration> remaining;  ///< of the whole wait, before this delay; nothing without a deadline
};

namespace detail {

template <class W, class As, class R, class Reader, class Told>
class kept_poll;

}  // namespace detail

/// How polling ended: why, the last result or exception, after how many calls, and how long it took.
///
/// `succeeded` and `not_retryable` are the acceptors' success and failure; `unclassified` is an exception that no acceptor
/// reads; `deadline` means that time ran out. An acceptor may have judged the last call's exception a success.
template <class R>
class [[nodiscard]] poll_outcome : public endings::ending<R> {
 public:
  [[nodiscard]] bool failed() const noexcept {
    return this->reason() == stop_reason::not_retryable || this->reason() == stop_reason::unclassified;
  }
  [[nodiscard]] bool timed_out() const noexcept { return this->reason() == stop_reason::deadline; }

 private:
  template <class W, class As, class Kept, class Reader, class Told>
  friend class detail::kept_poll;
  poll_outcome() = default;
};

/// For `poll()`: this strategy, with a wait before the first poll too, because work that was just started is never done
/// at once.
///
/// `wait_first<my_strategy, 100ms>`; `wait_first{strategy, delay}` with values known at run time, which throws
/// `std::invalid_argument` for a negative delay. The wait is a part of the call: a deadline counts and shortens it, and
/// a stop ends it before the first poll. It has no jitter.
template <class Strategy, static_duration Delay = run_time>
class wait_first {
 public:
  constexpr wait_first() = default;
  constexpr explicit wait_first(Strategy strategy)
    requires(Delay != run_time)
      : strategy_{std::move(strategy)} {}

  constexpr wait_first(Strategy strategy, detail::any_duration delay)
    requires(Delay == run_time)
      : strategy_{std::move(strategy)}, delay_{delay} {
    detail::require(delay_.get() >= duration::zero(), "wait_first", "delay must not be negative", delay_.get());
  }

  [[nodiscard]] constexpr Strategy const& strategy() const noexcept { return strategy_; }
  [[nodiscard]] constexpr duration initial_delay() const noexcept { return delay_.get(); }

  static constexpr bool is_sound = detail::is_not_negative<Delay>;
  static consteval void explain() {
    static_assert(
        detail::is_not_negative<Delay>,
        "anew::wait_first<Strategy, Delay> requires Delay >= 0; Delay is negative. Omit wait_first to poll at once");
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS Strategy strategy_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Delay, wait_first> delay_;
};

template <class Strategy>
wait_first(Strategy, detail::any_duration) -> wait_first<Strategy, run_time>;

}  // namespace anew::inline ANEW_ABI

#endif
