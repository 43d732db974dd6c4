// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_POLL_POLL_MACHINE_HPP
#define ANEW_DRIVERS_POLL_POLL_MACHINE_HPP

#include <exception>
#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/drivers/call_engine.hpp"
#include "anew/drivers/next_step.hpp"
#include "anew/drivers/poll/acceptor.hpp"
#include "anew/drivers/poll/internal/explain.hpp"
#include "anew/drivers/poll/internal/watch.hpp"
#include "anew/drivers/retry_machine.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// The strategy of a machine, which stands before the machine that refers to it.
template <class View>
struct machine_view {
  View const view;
};

}  // namespace detail

/// One polling call as a state machine, for a loop of your own: `retry_machine` with acceptors. You carry out each step
/// and report what a look found.
///
///     anew::poll_machine call{waiter, anew::success_when(is_running)};
///     auto step = call.begin();
///     // next_step::attempt:  ask for the status; when it is there: step = call.on_outcome(status)
///     // next_step::wait:     arm a timer for call.wait(); when it fires: step = call.on_wait_over()
///     // next_step::finished: call.reason() says why; the last result, which you kept, is the call's
///
/// Its other functions are those of a `retry_machine` (anew/drivers/call_engine.hpp describes each). Acceptors and
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
  poll_machine(poll_machine const&) = delete;
  poll_machine& operator=(poll_machine const&) = delete;
  ~poll_machine() = default;

  using engine::attempt_timeout, engine::attempts, engine::begin, engine::current, engine::is_stopped,
      engine::limits_attempts, engine::on_cancelled, engine::on_wait_over, engine::reason, engine::request_stop,
      engine::wait, engine::wait_ends_at;

  /// The result of a look, read as `poll()` reads it: a result, or the error in it.
  template <class R>
  [[nodiscard]] next_step on_outcome(R const& result) {
    if constexpr (detail::explain_list<R, list>()) {
      auto const verdict = held::view.judge_result(result);
      if constexpr (detail::PolledByError<R>) {
        if (!detail::is_success(result)) return follow(verdict, &result, detail::error_of(result));
      }
      return follow(verdict, &result);
    }
    return next_step::finished;
  }
  /// The look failed with this error.
  template <class E>
  [[nodiscard]] next_step on_error(E const& error) {
    return follow<E>(held::view.judge_error(error), nullptr, error);
  }
#if ANEW_EXCEPTIONS
  /// The look threw `thrown`, which must not be null.
  [[nodiscard]] next_step on_exception(std::exception_ptr const& thrown) {
    return follow<detail::void_result>(held::view.judge_exception(thrown), nullptr, thrown);
  }
#endif
  /// You ended the look because it passed `attempt_timeout()`: a failed request, which is made again unless an acceptor of
  /// `std::error_code` says otherwise.
  [[nodiscard]] next_step on_attempt_timeout() {
    return held::view.tell(static_cast<engine const&>(*this), engine::on_attempt_timeout());
  }

 private:
  template <class R, class... Error>
  next_step follow(directive const& verdict, R const* last, Error const&... error) {
    return held::view.tell(static_cast<engine const&>(*this), engine::on_verdict(verdict, error...), last);
  }
};

template <class Waiter, class Accept>
poll_machine(Waiter const&, Accept) -> poll_machine<Waiter, Accept>;

}  // namespace anew::inline ANEW_ABI

#endif
