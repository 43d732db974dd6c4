// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ASIO_ASYNC_HEDGE_HPP
#define ANEW_ASIO_ASYNC_HEDGE_HPP

#include <type_traits>
#include <utility>

#include "anew/asio/async_retry.hpp"
#include "anew/asio/initiates.hpp"
#include "anew/asio/internal/explain.hpp"
#include "anew/asio/internal/handlers.hpp"
#include "anew/asio/internal/hedge_call.hpp"
#include "anew/asio/timer_source.hpp"
#include "anew/hedge/hedging.hpp"
#include "anew/hedge/internal/explain.hpp"
#include "anew/operation/call_declaration.hpp"
#include "anew/operation/idempotent.hpp"
#include "anew/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class Op>
struct operation_is_declared_idempotent {
  static constexpr bool value = is_idempotent<Op>;
};
/// What a hedging has learned must be there for the next call.
template <class H>
struct hedging_is_kept {
  static constexpr bool value = std::is_lvalue_reference_v<H> || !Learns<std::remove_cvref_t<H>>;
};
/// Several attempts end in their own order: each needs to know where, before it has begun.
template <class Timers, class Handler>
struct hedged_call_knows_its_executor {
  static constexpr bool value =
      std::is_same_v<Handler, unknown_yet> || !std::is_same_v<Timers, no_timers> || HasAnExecutor<Handler>;
};

template <class Timers, class Handler>
consteval bool explain_hedged_home() {
  static_assert(hedged_call_knows_its_executor<Timers, Handler>::value,
                "anew::async_hedge(strategy, hedging, operation, token) requires an executor for its timer; this "
                "completion handler has none. Say where: anew::async_hedge(executor, strategy, hedging, ...)");
  return hedged_call_knows_its_executor<Timers, Handler>::value;
}

/// As `async_hedge` was given them: `H` with its reference.
template <class S, class H, class Op, class Timers, class Token>
consteval bool explain_hedged() {
  using hedging = std::remove_cvref_t<H>;
  if constexpr (!models_hedging<hedging>::value) {
    static_assert(
        models_hedging<hedging>::value,
        "anew::async_hedge(strategy, hedging, operation, token) requires a Hedging after the strategy. Did you "
        "forget it: anew::hedge_after<10ms>{}, or an anew::hedge_at_quantile that all calls share?");
    return false;
  } else if constexpr (!hedging_is_kept<H>::value) {
    static_assert(hedging_is_kept<H>::value,
                  "anew::async_hedge(strategy, hedging, operation, token) requires a hedging that learns to outlive "
                  "the call; this one is a temporary, and forgets. Keep one beside the strategy, for all calls");
    return false;
  } else if constexpr (!operation_is_declared_idempotent<Op>::value) {
    static_assert(
        operation_is_declared_idempotent<Op>::value,
        "anew::async_hedge(strategy, hedging, operation, token) requires an operation that may run twice at the "
        "same time. If it may, say so: anew::idempotent(operation)");
    return false;
  } else if constexpr (!detail::explain_async<S, Op>()) {
    return false;
  } else if constexpr (!detail::explain_token<Token, Timers>()) {
    return false;
  } else if constexpr (!detail::explain_hedge_machine<S, hedging, declared::idempotent>()) {
    return false;
  } else {
    return detail::explain_hedged_home<Timers, typename handler_of_token<Token, signature_of_t<Op>>::type>();
  }
}

template <class Signature, class Timers>
struct initiate_hedge : initiation_home<Timers> {
  template <class Handler, class... Parts>
  void operator()(Handler&& handler, Parts&&... parts) && {
    run(std::move(this->timers), std::forward<Handler>(handler), std::forward<Parts>(parts)...);
  }
  template <class Handler, class... Parts>
  void operator()(Handler&& handler, Parts&&... parts) const& {
    run(Timers{this->timers}, std::forward<Handler>(handler), std::forward<Parts>(parts)...);
  }

 private:
  template <class Handler, class Strategy, class Hedges, class Op>
  static void run(Timers&& timers, Handler&& handler, Strategy&& strategy, Hedges&& hedging, Op&& operation) {
    using kept = std::decay_t<Handler>;
    if constexpr (detail::explain_hedged_home<Timers, kept>()) {
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
    return net::async_initiate<Token, signature>(
        initiate_hedge<signature, std::decay_t<Timers>>{{std::forward<Timers>(timers)}}, token,
        detail::hold_strategy(std::forward<S>(strategy)), detail::hold_strategy(std::forward<H>(hedging)),
        std::forward<Op>(operation));
  } else {
    return detail::inert_async<std::decay_t<Op>>(token);
  }
}

/// Of a call that names no hedging at all.
template <class Op>
struct hedging_is_given {
  static constexpr bool value = false;
};
template <class Op, class Token>
decltype(auto) explain_no_hedging(Token&& token) {
  static_assert(hedging_is_given<Op>::value,
                "anew::async_hedge(strategy, hedging, operation, token) requires a Hedging after the strategy. Did you "
                "forget it: anew::hedge_after<10ms>{}, or an anew::hedge_at_quantile that all calls share?");
  return detail::inert_async<Op>(token);
}
template <class T>
concept NoHedging = !models_hedging<std::remove_cvref_t<T>>::value;

}  // namespace detail

/// `async_retry()` with a second attempt beside the first when that is slow: the first usable answer wins, the others are
/// cancelled and their results destroyed. When and how many: `hedging` (anew/hedge.hpp). What each attempt costs, and
/// whether another may begin at all: `strategy`, whose quota pays for hedges as for retries; a hedge that is refused
/// changes nothing for those under way.
///
///     static anew::hedge_at_quantile<95, 100> const slow;  // shared by all calls
///     anew::async_hedge(strategy, slow, anew::idempotent(read_record), token);
///
/// `operation` is declared `idempotent()`, and is called again while earlier attempts run: what belongs to one attempt (its
/// socket, its buffer) belongs into the initiating function or the coroutine. The rest is as with `async_retry()`, and
/// `strategy` and `hedging` are referred to where they are lvalues. Everything of a call happens on its executor, its
/// first attempt too (by `dispatch`); its handlers must not run in two threads at a time: a strand, or one thread.
///
/// The call completes when its attempts have: those that lost are cancelled (terminal) and waited for, because what they use
/// is yours. An operation that ignores its cancellation therefore holds the call up, unless it looks at
/// `attempt::stop_requested()`, which is true for one that has lost.
/// A cancellation goes to all attempts that are under way; a success among them is still the result. The end is that of
/// the last one that comes back, and `operation_aborted` where none was under way. An attempt that somebody else cancels
/// cancels the others. What an operation or a classifier throws comes out of the loop's `run()`. This ends the call, and so
/// does an attempt whose handler is destroyed without being called: what the call holds of the strategy comes back at once,
/// the other attempts are cancelled, and your handler is destroyed uncalled when they have completed. An attempt that has
/// lost may go away.
/// Cost: one block of the handler's allocator, a timer, a cancellation signal for each attempt
/// Choose it for reads whose slowest percent matters. Not where the far side is busy: see docs/how_to/hedge_requests.md.
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

/// Say what is missing.
template <class S, detail::NoHedging Op, class Token>
  requires(!detail::SaysWhere<S>)
decltype(auto) async_hedge(S&& /*strategy*/, Op&& /*operation*/, Token&& token) {
  return detail::explain_no_hedging<std::decay_t<Op>>(token);
}
template <detail::SaysWhere Where, class S, detail::NoHedging Op, class Token>
decltype(auto) async_hedge(Where&& /*where*/, S&& /*strategy*/, Op&& /*operation*/, Token&& token) {
  return detail::explain_no_hedging<std::decay_t<Op>>(token);
}

}  // namespace anew::inline ANEW_ABI

#endif
