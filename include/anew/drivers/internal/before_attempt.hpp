// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_BEFORE_ATTEMPT_HPP
#define ANEW_DRIVERS_INTERNAL_BEFORE_ATTEMPT_HPP

#include <cstdint>
#include <type_traits>
#include <utility>

#include "anew/base/attempt.hpp"
#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/intrinsics.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/base/refused_result.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/drivers/internal/decide.hpp"
#include "anew/roles/attempt_timeout.hpp"
#include "anew/roles/operation.hpp"
#include "anew/roles/retry_strategy.hpp"
#include "anew/roles/sleeper.hpp"
#include "anew/strategy/internal/lazy_now.hpp"

/// The work of every driver before an attempt: asking the strategy whether the attempt may begin, and filling in the
/// attempt.
namespace anew::inline ANEW_ABI::detail {

/// Whether the strategy must be asked before attempts. A strategy whose type does not say so is asked at run time.
template <class S>
ANEW_INLINE bool needs_admission([[maybe_unused]] S const& strategy) {
  if constexpr (requires { strategy.needs_admission(); }) return strategy.needs_admission();
  return HasAdmission<S>;
}

/// The time of the attempt, which is not before the end of the wait that was asked for.
template <class S>
struct not_before {
  lazy_now<S>& began;
  time_point least;
  ANEW_INLINE operator time_point() { return larger(began(), least); }  // NOLINT(*-explicit-*)
};

/// The earliest end of a wait that a gate or a pacer asked for.
struct earliest {
  time_point value = time_point::min();

  /// Asks the strategy for the last time before an attempt, which begins at `began`. The requested wait counts as elapsed,
  /// so that a driver that does not wait cannot spin.
  template <class S>
  ANEW_INLINE admission_answer ask(S const& strategy, typename S::token_type& token, lazy_now<S>& began) {
    if (!detail::needs_admission(strategy)) return {};
    not_before<S> now{began, std::exchange(value, time_point::min())};
    auto const answer = strategy.admit(token, now);
    if (answer.wait > duration::zero()) value = saturating_add(time_point{now}, answer.wait);
    return answer;
  }
};

struct no_earliest {};

/// A strategy whose type does not say whether it limits attempts. It is asked at run time.
template <class S>
concept LimitsAttemptsAtRunTime = requires(S const& strategy) { strategy.limits_attempts(); };

/// Refuses an operation that nothing can interrupt and that does not ask for its limit, where the strategy has one.
template <class Op, class S>
ANEW_INLINE void require_limit_is_heard([[maybe_unused]] S const& strategy) {
  if constexpr (LimitsAttemptsAtRunTime<S> && !TakesAttempt<Op>) {
    if (strategy.limits_attempts()) [[unlikely]]
      detail::throw_invalid_argument(
          "anew::retry(strategy, operation) requires an operation that takes its attempt: the strategy limits "
          "attempts, "
          "and nothing interrupts an operation that blocks or is awaited. Write [&](anew::attempt& self) { ... "
          "self.limit() ... }");
  }
}

/// Fills in the parts of an attempt. `from` knows the call's deadline: a token, or the call's `initial_token`.
/// `previous` is meaningful from the second attempt on.
template <class S, class From, class Began>
ANEW_INLINE void set_parts(attempt::parts& parts, [[maybe_unused]] S const& strategy, [[maybe_unused]] From const& from,
                           std::uint32_t number, error_kind previous, [[maybe_unused]] Began& began) {
  parts.number = number;
  if (number > 1) parts.previous = previous;
  if constexpr (HasDeadline<S>) {
    if constexpr (requires { from.deadline(strategy); }) {
      parts.deadline = from.deadline(strategy);
    } else {
      parts.deadline = from.deadline();
    }
    if (parts.deadline != time_point::max()) parts.began = began();
  }
  if constexpr (HasAttemptTimeout<S>) parts.limit = strategy.attempt_timeout().of(attempt{parts}.remaining());
}

/// The way from a decision to the attempt: the sleep, the gate and the pacer.
/// `sleep` gets the stop token too, if it takes one and the call has one.
template <class Sleep, class Stop>
constexpr decltype(auto) start_sleep(Sleep& sleep, duration delay, [[maybe_unused]] Stop const& stop) {
  if constexpr (!std::is_same_v<Stop, never_stop> && requires { sleep(delay, stop); }) {
    return sleep(delay, stop);
  } else {
    return sleep(delay);
  }
}

void pause(auto& sleep, duration delay, auto const& stop) {
  if (test_mode_word().load() != 0) [[unlikely]]
    delay = duration::zero();
  detail::start_sleep(sleep, delay, stop);
}

/// The result of a call that made no attempt.
template <class R>
ANEW_COLD R refused(stop_reason reason) {
  if constexpr (MakesRefusedResult<R>) {
    return refused_result<R>::make(reason);
  } else {
#if ANEW_EXCEPTIONS
    throw call_refused{reason};
#else
    detail::trap();  // explained at compile time
#endif
  }
}
template <class R, class S, class Report>
ANEW_COLD R refuse(S const& strategy, Report& report, stop_reason reason) {
  detail::end(strategy, report, reason, 0);
  if constexpr (Report::is_wanted && !MakesRefusedResult<R>) report.operation_threw = true;
  return detail::refused<R>(reason);
}

/// One call between its attempts: what every driver does apart from calling, waiting and stopping. The loop of a blocking
/// call and the machine of all other drivers are made of it.
template <class S, class Report>
class call_state {
 public:
  /// `make_token` returns the token, which is made in its place: a move would cost ten instructions with a bucket.
  ANEW_INLINE call_state(auto const& make_token, std::uint32_t attempts, Report report)
      : now_{make_token(), error_kind::client, false, {}},
        attempts_{attempts},
        report_(static_cast<Report&&>(report)) {}

  /// Decides after a failed attempt. True: a wait of `delay()` follows.
  template <class Op, class... Keep>
  ANEW_INLINE bool fail(S const& strategy, Op& operation, directive const& verdict, Keep const&... keep) {
    return detail::decide_on(operation, strategy, report_, now_, verdict, attempts_, keep...);
  }
  ANEW_INLINE void succeed(S const& strategy) {
    auto token = std::move(now_.token);
    detail::succeeded(strategy, report_, std::move(token), attempts_);
  }
  ANEW_INLINE void end(S const& strategy, stop_reason reason) { detail::end(strategy, report_, reason, attempts_); }

  /// After a wait: counts the attempt that `token` is for, unless the call ends or waits again.
  ANEW_INLINE admission_answer enter(S const& strategy, [[maybe_unused]] typename S::token_type& token,
                                     [[maybe_unused]] lazy_now<S>& began) {
    if constexpr (HasAdmission<S>) {
      auto const answer = earliest_.ask(strategy, token, began);
      if (!answer.begins()) return answer;
    }
    attempts_ = saturating_next(attempts_);
    return {};
  }
  /// The reason of a call that ends after its wait; `succeeded` where an attempt follows.
  [[nodiscard]] ANEW_INLINE stop_reason last_wait_ends() const noexcept {
    if constexpr (WaitsBeforeTheEnd<S>) return now_.end.reason;
    return stop_reason::succeeded;
  }

  /// Fills in the parts of the attempt that was counted last, which began at `began`. `by` has the timeout of an attempt.
  ANEW_INLINE void set_parts(attempt::parts& parts, auto const& by, lazy_now<S>& began) const {
    detail::set_parts(parts, by, now_.token, attempts_, now_.previous, began);
  }
  [[nodiscard]] ANEW_INLINE duration delay() const noexcept { return now_.delay(); }
  [[nodiscard]] ANEW_INLINE typename S::token_type& token() noexcept { return now_.token; }
  [[nodiscard]] ANEW_INLINE auto& report() noexcept { return report_; }
  [[nodiscard]] std::uint32_t attempts() const noexcept { return attempts_; }

  /// The wait is one that a gate or a pacer asked for.
  [[nodiscard]] ANEW_INLINE bool is_asked_to_wait() const noexcept {
    if constexpr (HasAdmission<S>) return earliest_.value != time_point::min();
    return false;
  }
  /// `asked`: the end of the first wait that a gate or a pacer asked for.
  ANEW_INLINE void begin_after([[maybe_unused]] time_point asked) noexcept {
    if constexpr (HasAdmission<S>) earliest_.value = asked;
  }

 protected:
  pending_attempt<S> now_;
  ANEW_NO_UNIQUE_ADDRESS std::conditional_t<HasAdmission<S>, earliest, no_earliest> earliest_;
  std::uint32_t attempts_;
  Report report_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
