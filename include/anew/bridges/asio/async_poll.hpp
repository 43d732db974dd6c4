// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_ASYNC_POLL_HPP
#define ANEW_BRIDGES_ASIO_ASYNC_POLL_HPP

#include <tuple>
#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/bridges/asio/async_retry.hpp"
#include "anew/bridges/asio/initiates.hpp"
#include "anew/bridges/asio/internal/explain.hpp"
#include "anew/bridges/asio/internal/net.hpp"
#include "anew/bridges/asio/internal/read_completion.hpp"
#include "anew/bridges/asio/timer_source.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/internal/empty_operation.hpp"
#include "anew/drivers/next_step.hpp"
#include "anew/drivers/poll/internal/look.hpp"
#include "anew/drivers/poll/poll_outcome.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// A completion whose first argument is an error code: the code is judged if it is set, else the value after it.
struct reads_code {
  template <class R>
  static next_step read(auto const& view, R const& came, auto const& follow) {
    if constexpr (is_error_code<R>) {
      return came ? follow(view.judge_error(came), came) : view.template read<false>(void_result{}, follow);
    } else {
      auto const& [code, value] = came;
      return code ? follow(view.judge_error(code), code) : view.template read<false>(value, follow);
    }
  }
};

template <class Op, class Signature = signature_of_t<Op>>
struct polled_completion;
template <class Op, class... Args>
struct polled_completion<Op, void(Args...)> {
  static constexpr completion_shape shape = completion_shape_of<Args...>();
  static constexpr bool is_one_value =
      shape != completion_shape::values && sizeof...(Args) <= (shape == completion_shape::value ? 1 : 2);
  using kept = typename result_of_completion<Args...>::type;
  using value =
      std::conditional_t<shape == completion_shape::error_code, typename value_after_error<Args...>::type, kept>;
  using reader = std::conditional_t<shape == completion_shape::error_code, reads_code, reads_result<!ThrowsOnly<Op>>>;
  using signature = void(poll_outcome<kept>);
};
template <class Op>
inline constexpr bool polled_completion_is_one_value = polled_completion<Op>::is_one_value;

template <class W, class Op, class List, class Timers, class Token>
consteval bool explain_async_poll() {
  using S = std::remove_cvref_t<decltype(detail::strategy_of(std::declval<W const&>()))>;
  if constexpr (!detail::explain_waiter<W>()) {
  } else if constexpr (!detail::explain_call<caller::async_poll, S, Op>() ||
                       !detail::explain_async_operation<S, Op>()) {
  } else if constexpr (!polled_completion_is_one_value<Op>) {
    static_assert(
        polled_completion_is_one_value<Op>,
        "anew::async_poll(strategy, operation, acceptors, token) requires an operation that completes with at "
        "most one value, after an error code or a std::exception_ptr or alone; its completion has several "
        "values. Complete with a struct or a std::tuple");
  } else {  // the executor is checked when the token has made its handler
    return detail::explain_list<typename polled_completion<Op>::value, List>() &&
           detail::explain_token<Token, Timers>();
  }
  return false;
}

template <class Strategy, class Held, class List>
struct make_poll {
  Held waiter;
  List accept;
  Strategy operator()() && { return {static_cast<Held&&>(waiter).strategy, std::move(accept)}; }
  Strategy operator()() const& { return {waiter.strategy, List{accept}}; }
};

template <class W, class Timers, class Op, class Accept, class Token>
decltype(auto) async_poll_on(Timers&& timers, W&& waiter, Op&& operation, Accept const& accept, Token&& token) {
  using op = std::decay_t<Op>;
  using list = list_of<Accept>;
  using from = std::decay_t<Timers>;
  if constexpr (detail::explain_async_poll<std::remove_cvref_t<W>, op, list, from, std::decay_t<Token>>()) {
    using completion = polled_completion<op>;
    using held = decltype(detail::hold_strategy(std::forward<W>(waiter)));
    using strategy = kept_poll<decltype(held::strategy), list, typename completion::kept, typename completion::reader>;
    detail::require_operation(operation, "async_poll");
    return net::async_initiate<Token, typename completion::signature>(
        call_initiation<begin_kept<signature_of_t<op>, from>, from>{{std::forward<Timers>(timers)}}, token,
        make_poll<strategy, held, list>{detail::hold_strategy(std::forward<W>(waiter)), list{detail::as_list(accept)}},
        std::forward<Op>(operation));
  } else {
    return detail::inert_async<op>(token);
  }
}

}  // namespace detail

/// `poll()` on an event loop: calls an asynchronous operation until an acceptor reports success or failure, or the
/// strategy gives up, and completes with a `poll_outcome<R>`. No thread waits.
///
///     anew::async_poll(waiter, describe, anew::success_when(is_running), [](anew::poll_outcome<status> told) { ... });
///
/// The operation is as for async_retry(). `R` is what it completes with: the value of a coroutine, of a single value, or
/// after a `std::exception_ptr` (an exception is stored in the outcome); `error_code`, or `std::tuple<error_code, V>`,
/// where it completes with a code first. Acceptors of results read the value, those of errors the code or the exception.
/// Listeners, `wait_first` and "not ready costs no quota" are as for poll(). An lvalue `waiter` is held by reference and
/// must outlive the call; acceptors are stored.
///
/// Executor, allocator and cancellation slot are those of the handler, as for async_retry(). A cancelled call completes
/// with `stop_reason::cancelled` and the last result. With `attempt_timeout<>` a look is cancelled when its time is over;
/// it is then a failed request that is made again, unless an acceptor of `std::error_code` says otherwise.
///
/// Requires: an executor, of the handler or named first; an acceptor that may report success; one value at most.
/// Cost: one block of the handler's allocator per call, and a timer from the first wait on.
/// Throws: what an acceptor, a listener or an observer throws leaves the loop's `run()`, and the handler is destroyed
/// uncalled.
/// Choose it on Asio's loop, with any completion token: `co_await anew::async_poll(..., use_awaitable)`.
template <class W, class Op, class Accept, class Token>
  requires(!detail::SaysWhere<W>)
decltype(auto) async_poll(W&& waiter, Op&& operation, Accept const& accept, Token&& token) {
  return detail::async_poll_on(detail::no_timers{}, std::forward<W>(waiter), std::forward<Op>(operation), accept,
                               std::forward<Token>(token));
}

/// The same, with the place of its waits: an executor, an execution context, or a source of timers (`TimerSource`).
template <detail::SaysWhere Where, class W, class Op, class Accept, class Token>
decltype(auto) async_poll(Where&& where, W&& waiter, Op&& operation, Accept const& accept, Token&& token) {
  return detail::async_poll_on(detail::timers_of(std::forward<Where>(where)), std::forward<W>(waiter),
                               std::forward<Op>(operation), accept, std::forward<Token>(token));
}

}  // namespace anew::inline ANEW_ABI

#endif
