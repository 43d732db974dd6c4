// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_ASYNC_HEDGE_HPP
#define ANEW_BRIDGES_ASIO_ASYNC_HEDGE_HPP

#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/asio/async_retry.hpp"
#include "anew/bridges/asio/initiates.hpp"
#include "anew/bridges/asio/internal/explain.hpp"
#include "anew/bridges/asio/internal/handlers.hpp"
#include "anew/bridges/asio/internal/hedge_call.hpp"
#include "anew/bridges/asio/timer_source.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/hedge/hedge_machine.hpp"
#include "anew/drivers/hedge/hedging.hpp"
#include "anew/drivers/internal/empty_operation.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class Op>
inline constexpr bool operation_is_declared_idempotent = is_idempotent<Op>;
/// A hedging that learns must outlive the call, so that the next call can use what it learned.
template <class H>
inline constexpr bool hedging_is_kept = std::is_lvalue_reference_v<H> || !Learns<std::remove_cvref_t<H>>;
/// As `async_hedge` was given them: `H` with its reference.
template <class S, class H, class Op, class Timers, class Token>
consteval bool explain_hedged() {
  using hedging = std::remove_cvref_t<H>;
  if constexpr (!detail::explain_hedging<hedging>()) {
  } else if constexpr (!hedging_is_kept<H>) {
    static_assert(
        hedging_is_kept<H>,
        "anew::async_hedge(strategy, hedging, operation, token) requires a hedging that learns to outlive the call; "
        "you passed a temporary, which forgets what it learned. Declare it once, next to the strategy, for all calls");
  } else if constexpr (!operation_is_declared_idempotent<Op>) {
    static_assert(operation_is_declared_idempotent<Op>,
                  "anew::async_hedge(strategy, hedging, operation, token) requires an operation that may run twice at "
                  "the same time; nothing declares that it may. If it may, pass anew::idempotent(operation)");
  } else if constexpr (!detail::explain_async<S, Op>()) {
  } else if constexpr (!detail::explain_token<Token, Timers>()) {
  } else if constexpr (detail::explain_hedge_machine<S, hedging, declared::idempotent>()) {
    // Attempts end in any order, so the executor must be known before the first one starts.
    return detail::explain_home<true, Timers, typename handler_of_token<Token, signature_of_t<Op>>::type>();
  }
  return false;
}

template <class Signature, class Timers>
struct begin_hedge {
  template <class Handler, class Strategy, class Hedges, class Op>
  static void run(Timers&& timers, Handler&& handler, Strategy&& strategy, Hedges&& hedging, Op&& operation) {
    using kept = std::decay_t<Handler>;
    if constexpr (detail::explain_home<true, Timers, kept>()) {
      kept own{std::forward<Handler>(handler)};
      hedge_call<std::remove_cvref_t<Strategy>, std::remove_cvref_t<Hedges>, std::decay_t<Op>, Timers, kept,
                 Signature>::begin(own, std::move(timers), std::forward<Strategy>(strategy),
                                   std::forward<Hedges>(hedging), std::forward<Op>(operation));
    }
  }
};

template <class S, class H, class Timers, class Op, class Token>
decltype(auto) async_hedge_on(Timers&& timers, S&& strategy, H&& hedging, Op&& operation, Token&& token) {
  if constexpr (detail::explain_hedged<std::remove_cvref_t<S>, H&&, std::decay_t<Op>, std::decay_t<Timers>,
                                       std::decay_t<Token>>()) {
    using signature = signature_of_t<std::decay_t<Op>>;
    detail::require_operation(operation, "async_hedge");
    return net::async_initiate<Token, signature>(
        call_initiation<begin_hedge<signature, std::decay_t<Timers>>, std::decay_t<Timers>>{
            {std::forward<Timers>(timers)}},
        token, detail::hold_strategy(std::forward<S>(strategy)), detail::hold_strategy(std::forward<H>(hedging)),
        std::forward<Op>(operation));
  } else {
    return detail::inert_async<std::decay_t<Op>>(token);
  }
}

/// A call that passes no hedging.
template <class T>
concept NoHedging = !models_hedging<std::remove_cvref_t<T>>;

}  // namespace detail

/// `async_retry()` that starts another attempt when the first is slow. The first usable answer wins; the other attempts
/// are cancelled and their results destroyed. `hedging` (anew/hedge.hpp) decides when and how many. `strategy` decides
/// what each attempt costs and whether another may start; its quota pays for hedges as for retries, and a refused hedge
/// does not affect the attempts in flight.
///
///     static anew::hedge_at_quantile<95, 100> const slow;  // shared by all calls
///     anew::async_hedge(strategy, slow, anew::idempotent(read_record), token);
///
/// `operation` is declared `idempotent()`, and is called again while earlier attempts run, so state of a single attempt
/// (its socket, its buffer) belongs in the initiating function or the coroutine. All else is as for `async_retry()`;
/// `strategy` and `hedging` are held by reference if they are lvalues. The whole call runs on its executor, the first
/// attempt included (by `dispatch`). Its handlers must not run in two threads at a time: use a strand, or one thread.
///
/// The call completes after all its attempts: the losers are cancelled (terminal) and waited for, because they use your
/// objects. An operation that ignores its cancellation therefore delays the call, unless it checks
/// `attempt::stop_requested()`, which is true for a loser.
/// A cancellation goes to all attempts in flight; a success among them is still the result. Otherwise the last attempt
/// that comes back decides, or `operation_aborted` if none was in flight. If someone else cancels an attempt, the
/// others are cancelled too. An exception of an operation or a classifier leaves the loop's `run()`. It ends the call,
/// as does an attempt whose handler is destroyed without being called: the strategy gets back at once what the call
/// holds, the other attempts are cancelled, and your handler is destroyed uncalled when they have completed. The
/// handler of a loser may be destroyed uncalled.
/// Cost: one block of the handler's allocator, a timer, a cancellation signal for each attempt
/// Choose it for reads whose slowest percent matters. Not for a busy server: see docs/how_to/hedge_requests.md.
template <class S, class H, class Op, class Token>
  requires(!detail::SaysWhere<S>)
decltype(auto) async_hedge(S&& strategy, H&& hedging, Op&& operation, Token&& token) {
  return detail::async_hedge_on(detail::no_timers{}, std::forward<S>(strategy), std::forward<H>(hedging),
                                std::forward<Op>(operation), std::forward<Token>(token));
}

/// The same, with the place of its waits: an executor, an execution context, or a source of timers (`TimerSource`).
template <detail::SaysWhere Where, class S, class H, class Op, class Token>
decltype(auto) async_hedge(Where&& where, S&& strategy, H&& hedging, Op&& operation, Token&& token) {
  return detail::async_hedge_on(detail::timers_of(std::forward<Where>(where)), std::forward<S>(strategy),
                                std::forward<H>(hedging), std::forward<Op>(operation), std::forward<Token>(token));
}

/// Overloads that explain a missing hedging: the operation stands in its place.
template <class S, detail::NoHedging Op, class Token>
  requires(!detail::SaysWhere<S>)
decltype(auto) async_hedge(S&& strategy, Op&& operation, Token&& token) {
  return detail::async_hedge_on(detail::no_timers{}, strategy, operation, operation, token);
}
template <detail::SaysWhere Where, class S, detail::NoHedging Op, class Token>
decltype(auto) async_hedge(Where&& /*where*/, S&& strategy, Op&& operation, Token&& token) {
  return detail::async_hedge_on(detail::no_timers{}, strategy, operation, operation, token);
}

}  // namespace anew::inline ANEW_ABI

#endif
