// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_POLL_POLL_HPP
#define ANEW_DRIVERS_POLL_POLL_HPP

#include <exception>
#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/refused_result.hpp"
#include "anew/drivers/blocking_sleeper.hpp"
#include "anew/drivers/call_engine.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/internal/before_attempt.hpp"
#include "anew/drivers/internal/guarded.hpp"
#include "anew/drivers/internal/kept_call.hpp"
#include "anew/drivers/next_step.hpp"
#include "anew/drivers/poll/acceptor.hpp"
#include "anew/drivers/poll/internal/look.hpp"
#include "anew/drivers/poll/internal/watch.hpp"
#include "anew/drivers/poll/poll_outcome.hpp"
#include "anew/drivers/retry.hpp"
#include "anew/drivers/retry_machine.hpp"
#include "anew/roles/operation.hpp"
#include "anew/roles/sleeper.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class W, class Op, class List, class Sleep, class Stop>
poll_outcome<driven_result<Op>> poll_blocking(W const& waiter, Op& operation, List const& accept, Sleep& sleep,
                                              Stop const& stop) {
  using R = driven_result<Op>;
  using view = kept_poll<W const&, List const&, R, reads_result<!ThrowsOnly<Op>>, poll_outcome<R>&>;
  poll_outcome<R> told = view::nothing();
  view const kept{waiter, accept, told};
  kept_call<R, view, Op, Stop> call{kept, operation, stop};
  auto step = call.begin();
  while (step != next_step::finished) {
    if (step == next_step::wait) {
      detail::start_sleep(sleep, call.wait(), stop);
      step = call.after_wait();
      continue;
    }
#if ANEW_EXCEPTIONS
    try {
#endif
      call.hold([&]() -> R {
        if constexpr (std::is_void_v<result_of<Op>>)
          return call.start(), void_result{};
        else
          return call.start();
      });
#if ANEW_EXCEPTIONS
    } catch (...) {
      if (is_foreign()) throw;
      call.hold_exception(std::current_exception());
    }
#endif
    step = call.after_attempt();
  }
  (void)call.give();
  return told;
}

template <class W, class Op, class As, class Sleep, class Stop = never_stop>
auto poll(W const& waiter, Op& operation, As const& given, Sleep& sleep, Stop const& stop = {}) {
  using S = std::remove_cvref_t<decltype(strategy_of(waiter))>;
  using list = list_of<As>;
  if constexpr (!detail::explain_poll<W, S, Op, list, Sleep, Stop>()) {
    return detail::inert<inert_poll<Op>>();
  } else {
    decltype(auto) all = detail::as_list(given);
    return detail::poll_blocking(waiter, operation, static_cast<list const&>(all), sleep, stop);
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

/// The strategy of a machine, which stands before the machine that refers to it.
template <class View>
struct machine_view {
  View const view;
};

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
///
/// With a stop token: a stop wakes the sleeper, and no further call is made.
template <class Waiter, class Op, class Accept, class... Stop>
  requires detail::StopAlone<Stop...>
auto poll(Waiter const& waiter, Op&& operation, Accept const& accept, Stop const&... stop) {
  blocking_sleeper sleep{};
  return detail::poll(waiter, operation, accept, sleep, stop...);
}
template <class Waiter, class Op, class Accept, class Sleep, class... Stop>
  requires detail::SleepThenStop<Sleep, Stop...>
auto poll(Waiter const& waiter, Op&& operation, Accept const& accept, Sleep&& sleep, Stop const&... stop) {
  return detail::poll(waiter, operation, accept, sleep, stop...);
}

/// For a temporary with state that calls share: explains that.
template <detail::IsTemporaryWithState Waiter, class Op, class Accept, class... Rest>
auto poll(Waiter const&& /*waiter*/, Op&& /*operation*/, Accept const& /*accept*/, Rest&&... /*rest*/) {
  using result = detail::inert_poll<std::remove_reference_t<Op>>;
  return detail::explain_temporary<detail::caller::poll, Waiter, result>();
}

/// Polls as `poll()` does, but returns the operation's last result alone, whatever the reason, or rethrows its last
/// exception. A call that a gate, a pacer or a stop ends before it has polled throws `call_refused`, or returns
/// `refused_result<R>`.
template <class Waiter, class Op, class Accept, class... SleepAndStop>
  requires(sizeof...(SleepAndStop) <= 2)
[[nodiscard]] decltype(auto) poll_for(Waiter&& waiter, Op&& operation, Accept const& accept, SleepAndStop&&... rest) {
  return detail::result_of_poll<std::remove_reference_t<Op>>(
      anew::poll(std::forward<Waiter>(waiter), operation, accept, std::forward<SleepAndStop>(rest)...));
}

/// One polling call as a state machine, for a loop of your own: `retry_machine` with acceptors. You carry out each step
/// and report what a look found.
///
///     anew::poll_machine call{waiter, anew::success_when(is_running)};
///     auto step = call.begin();
///     // next_step::attempt:  ask for the status; when it is there: step = call.on_outcome(status)
///     // next_step::wait:     arm a timer for call.wait(); when it fires: step = call.on_wait_over()
///     // next_step::finished: call.reason() says why; the last result, which you kept, is the call's
///
/// Its other functions are those of a `retry_machine` (anew/drivers/call_engine.hpp describes each), without those that
/// give a verdict in the acceptors' place: on_success, on_verdict, and a late result. Acceptors and
/// listeners are as for poll(), and "not ready" costs no quota; a listener gets the last result of `on_outcome()`. It
/// refers to the waiter, which must outlive it, and it stays at one address.
///
/// Requires: the functions in the order that the steps ask for; not for two threads at a time.
/// Throws: what an acceptor, a listener or an observer throws; the call is over then, and has no reason. Nothing else.
/// Cost: that of a retry_machine, the acceptors, 64 bytes. Nothing from the heap.
/// Choose it where you own the loop. Not where a thread may block (poll), in a coroutine (co_await poll), or on Asio
/// (async_poll).
template <class Waiter, class Accept>
class poll_machine : detail::machine_view<detail::polling_view<Waiter const&, detail::list_of<Accept>>>,
                     call_engine<detail::polling_view<Waiter const&, detail::list_of<Accept>>, detail::no_operation> {
  using list = detail::list_of<Accept>;
  using view_type = detail::polling_view<Waiter const&, list>;
  using held = detail::machine_view<view_type>;
  using engine = call_engine<view_type, detail::no_operation>;

 public:
  poll_machine(Waiter const& waiter, Accept const& accept)
      : held{{waiter, list{detail::as_list(accept)}}}, engine{held::view, {}} {
    static_assert(detail::explain_waiter<Waiter>());
  }
  // Compilers print the line of a deleted function, and with it the comment on that line.
  poll_machine(Waiter const&& gone, Accept const& accept)  // anew: it refers to a waiter that you keep
      = delete;

  using engine::attempt_timeout, engine::attempts, engine::begin, engine::current, engine::is_stopped,
      engine::limits_attempts, engine::on_cancelled, engine::on_wait_over, engine::reason, engine::request_stop,
      engine::wait, engine::wait_ends_at;

  /// The result of a look, read as `poll()` reads it: a result, or the error in it.
  template <class R>
  [[nodiscard]] next_step on_outcome(R const& result) {
    if constexpr (detail::explain_list<R, list, true>()) {
      return held::view.read(result, [&](auto const&... verdict) { return follow(&result, verdict...); });
    }
    return next_step::finished;
  }
  /// The look failed with this error.
  template <class E>
  [[nodiscard]] next_step on_error(E const& error) {
    return follow<E>(nullptr, held::view.judge_error(error), error);
  }
#if ANEW_EXCEPTIONS
  /// The look threw `thrown`, which must not be null.
  [[nodiscard]] next_step on_exception(std::exception_ptr const& thrown) {
    return follow<detail::void_result>(nullptr, held::view.judge_exception(thrown), thrown);
  }
#endif
  /// You ended the look because it passed `attempt_timeout()`: a failed request, which is made again unless an acceptor of
  /// `std::error_code` says otherwise.
  [[nodiscard]] next_step on_attempt_timeout() { return engine::on_attempt_timeout(); }

 private:
  template <class R>
  next_step follow(R const* last, auto const&... verdict) {
    return held::view.tell(static_cast<engine const&>(*this), engine::on_verdict(verdict...), last);
  }
};

template <class Waiter, class Accept>
poll_machine(Waiter const&, Accept) -> poll_machine<Waiter, Accept>;

}  // namespace anew::inline ANEW_ABI

#endif
