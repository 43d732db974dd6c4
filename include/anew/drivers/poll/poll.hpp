// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_POLL_POLL_HPP
#define ANEW_DRIVERS_POLL_POLL_HPP

#include <type_traits>
#include <utility>

#include "anew/base/attempt.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/refused_result.hpp"
#include "anew/drivers/blocking_sleeper.hpp"
#include "anew/drivers/internal/drive.hpp"
#include "anew/drivers/poll/acceptor.hpp"
#include "anew/drivers/poll/internal/explain.hpp"
#include "anew/drivers/poll/internal/look.hpp"
#include "anew/drivers/poll/internal/watch.hpp"
#include "anew/drivers/poll/poll_outcome.hpp"
#include "anew/drivers/poll/wait_first.hpp"
#include "anew/roles/sleeper.hpp"
#include "anew/strategy/strategy.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class W>
concept WaitsFirst = requires(W const& waiter) {
  { waiter.initial_delay() } -> Exactly<duration>;
  waiter.strategy();
};
template <class W>
constexpr decltype(auto) strategy_of(W const& waiter) {
  if constexpr (WaitsFirst<W>) {
    return waiter.strategy();
  } else {
    return (waiter);
  }
}
template <class W>
constexpr duration initial_delay_of([[maybe_unused]] W const& waiter) {
  if constexpr (WaitsFirst<W>) return waiter.initial_delay();
  return duration::zero();
}

template <class... As>
constexpr acceptors<As...> const& as_list(acceptors<As...> const& list) noexcept {
  return list;  // NOLINT(bugprone-return-const-ref-from-parameter): for the length of the call
}
template <class A>
constexpr acceptors<A> as_list(A const& one) {
  return acceptors<A>{one};
}

struct poll_call {
  template <class W, class Op, class As, class Sleep, class Stop>
  static auto run(W const& waiter, Op& operation, As const& list, Sleep& sleep, Stop const& stop)
      -> poll_outcome<driven_result<Op>> {
    using R = driven_result<Op>;
    poll_outcome<R> told;
    watch last;
    detail::require_limit_is_heard<Op>(strategy_of(waiter));
    polling_view<std::remove_cvref_t<decltype(strategy_of(waiter))>> const strategy{strategy_of(waiter), last};
    timed_report report;
    report.began_at = now_of(strategy);

    auto const initial = initial_delay_of(waiter);
    auto const before_first = [&](attempt const& first) {
      if (initial > duration::zero()) detail::pause(sleep, smaller(initial, first.remaining()), stop);
      if (initial <= duration::zero() || !stop.stop_requested()) return true;
      last.verdict = directive::fail();
      return false;
    };
    watched_operation<Op, R, As, decltype(before_first)> watched{operation,
                                                                 list,
                                                                 before_first,
                                                                 last,
                                                                 told.result_
#if ANEW_EXCEPTIONS
                                                                 ,
                                                                 told.exception_
#endif
    };
    auto const tell = [&](duration delay) {
      if (std::exchange(last.told, true)) return;
      poll_progress progress{last.looks, last.verdict, last.failed, delay, std::nullopt};
      if (last.deadline != time_point::max()) {
        progress.remaining = larger(duration::zero(), saturating_subtract(last.deadline, now_of(strategy)));
      }
      list.for_each([&](auto const& a) {
        if constexpr (requires { a.tell(progress); }) {
          a.tell(progress);
        } else if constexpr (requires { a.tell; }) {
          a.tell(progress, told.result_.has_value() ? __builtin_addressof(std::as_const(*told.result_)) : nullptr);
        }
      });
    };

    if constexpr (has_listener<As>) {
      telling_sleeper<Sleep, decltype(tell)> telling{sleep, tell};
      detail::drive(strategy, watched, telling, stop, report);
    } else {
      detail::drive(strategy, watched, sleep, stop, report);
    }
    told.reason_ = report.reason;
    told.attempts_ = last.looks;
    told.elapsed_ = saturating_subtract(lazy_now{strategy, report.ended_at}(), report.began_at);
    return told;
  }
};

template <class W, class Op, class As, class Sleep, class Stop>
auto poll(W const& waiter, Op& operation, As const& given, Sleep& sleep, Stop const& stop) {
  using S = std::remove_cvref_t<decltype(strategy_of(waiter))>;
  using list = std::remove_cvref_t<decltype(detail::as_list(given))>;
  if constexpr (!detail::explain_poll<W, S, Op, list, Sleep, Stop>()) {
    return detail::inert<inert_poll<Op>>();
  } else {
    decltype(auto) all = detail::as_list(given);
    return poll_call::run(waiter, operation, static_cast<list const&>(all), sleep, stop);
  }
}

/// The last result of polling, as the operation would have returned it.
template <class Op, class R>
auto result_of_poll(poll_outcome<R>&& told) -> typename inert_result<Op>::type {
  if constexpr (std::is_same_v<R, void_result>) {
    (void)std::move(told).result();
  } else {
    if constexpr (MakesRefusedResult<std::remove_cvref_t<R>>) {
      if (told.attempts() == 0) return refused_result<std::remove_cvref_t<R>>::make(told.reason());
    }
    return std::move(told).result();
  }
}

}  // namespace detail

/// Calls `operation` until an acceptor reports success or failure, or the strategy gives up. If no acceptor judges a
/// result it is "not ready"; if none judges an error it ends the polling. "Not ready" is not a failure: only failed
/// requests are charged to the quota and reported to gate and pacer.
///
///     anew::poll(waiter, describe, anew::acceptors{anew::success_when(is_running), anew::failure_when(is_stopped)});
///
/// The acceptors replace the classifier; delays, limits, hints, clock and observer are the strategy's. To retry a
/// single request, wrap it: `[&] { return anew::retry(api, describe); }`.
///
/// Requires: `waiter` models RetryStrategy, or is a wait_first of one; `operation` is as for retry(), with any result;
/// `accept` is an acceptor or `acceptors{...}`, at least one of which may report success; `sleep` models Sleeper.
/// Returns: `poll_outcome<R>` with the reason and the last result or exception.
/// Throws: what an acceptor, a listener, the sleeper or an observer throws. An exception of the operation is stored.
/// Cost: two readings of the clock; a rejected result is kept until the next look. No allocation. It blocks its thread.
/// Choose it to wait for a state. To repeat a call that fails: retry.
/// Example: examples/22_poll_a_status.cpp
template <class Waiter, class Op, class Accept>
auto poll(Waiter const& waiter, Op&& operation, Accept const& accept) {
  blocking_sleeper sleep{};
  return detail::poll(waiter, operation, accept, sleep, never_stop{});
}
template <class Waiter, class Op, class Accept, class Sleep>
  requires(!StopToken<std::remove_cvref_t<Sleep>>)
auto poll(Waiter const& waiter, Op&& operation, Accept const& accept, Sleep&& sleep) {
  return detail::poll(waiter, operation, accept, sleep, never_stop{});
}
/// With a stop token: a stop wakes the sleeper, and no further call is made.
template <class Waiter, class Op, class Accept, StopToken Stop>
auto poll(Waiter const& waiter, Op&& operation, Accept const& accept, Stop const& stop) {
  blocking_sleeper sleep{};
  return detail::poll(waiter, operation, accept, sleep, stop);
}
template <class Waiter, class Op, class Accept, class Sleep, class Stop>
auto poll(Waiter const& waiter, Op&& operation, Accept const& accept, Sleep&& sleep, Stop const& stop) {
  return detail::poll(waiter, operation, accept, sleep, stop);
}

/// For a temporary with state that calls share: explains that.
template <detail::IsTemporaryWithState Waiter, class Op, class Accept, class... Rest>
auto poll(Waiter const&& /*waiter*/, Op&& /*operation*/, Accept const& /*accept*/, Rest&&... /*rest*/) {
  using result = detail::inert_poll<std::remove_reference_t<Op>>;
  return detail::explain_temporary<detail::caller::poll, Waiter, result>();
}

/// The same, but returns the operation's last result alone, whatever the reason, or rethrows its last exception. A call
/// that a gate, a pacer or a stop ends before it has polled throws `call_refused`, or returns `refused_result<R>`.
template <class Waiter, class Op, class Accept, class... SleepAndStop>
  requires(sizeof...(SleepAndStop) <= 2)
[[nodiscard]] decltype(auto) poll_for(Waiter&& waiter, Op&& operation, Accept const& accept, SleepAndStop&&... rest) {
  return detail::result_of_poll<std::remove_reference_t<Op>>(
      anew::poll(std::forward<Waiter>(waiter), operation, accept, std::forward<SleepAndStop>(rest)...));
}

}  // namespace anew::inline ANEW_ABI

#endif
