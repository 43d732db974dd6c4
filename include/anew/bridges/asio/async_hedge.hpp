// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_ASYNC_HEDGE_HPP
#define ANEW_BRIDGES_ASIO_ASYNC_HEDGE_HPP

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/on_exit.hpp"
#include "anew/bridges/asio/async_retry.hpp"
#include "anew/bridges/asio/initiates.hpp"
#include "anew/bridges/asio/internal/async_call.hpp"
#include "anew/bridges/asio/internal/call_ref.hpp"
#include "anew/bridges/asio/internal/explain.hpp"
#include "anew/bridges/asio/internal/handlers.hpp"
#include "anew/bridges/asio/internal/net.hpp"
#include "anew/bridges/asio/internal/read_completion.hpp"
#include "anew/bridges/asio/timer_source.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/hedge/hedge_machine.hpp"
#include "anew/drivers/hedge/hedging.hpp"
#include "anew/drivers/hedge/internal/engine.hpp"
#include "anew/drivers/internal/empty_operation.hpp"

namespace anew::inline ANEW_ABI {

/// An asynchronous call with several attempts in flight. It ends when the machine says so and its last attempt has come
/// back: the losers are cancelled, but they use the caller's objects.
namespace detail {

struct no_timer {};

template <class Strategy, class Hedges, class Op, class Timers, class Handler, class Signature>
class hedge_call : public async_call<hedge_call<Strategy, Hedges, Op, Timers, Handler, Signature>, Strategy, Op, Timers,
                                     Handler, std::uint32_t, Signature> {
  using steps = async_call<hedge_call, Strategy, Op, Timers, Handler, std::uint32_t, Signature>;
  friend steps;
  friend typename steps::block;
  using typename steps::S;
  using H = typename Hedges::type;
  static constexpr std::uint32_t places = static_cast<std::uint32_t>(H::most_extra) + 1;

 public:
  template <class StrategyArg, class HedgesArg, class OpArg>
  static void begin(Handler& handler, Timers&& timers, StrategyArg&& strategy, HedgesArg&& hedging, OpArg&& operation) {
    auto self = steps::make(handler, std::move(timers), std::forward<StrategyArg>(strategy),
                            std::forward<HedgesArg>(hedging), std::forward<OpArg>(operation));
    self.get()->connect();
    net::dispatch(event_handler<&hedge_call::on_begin, hedge_call>{std::move(self)});
  }

  void on_begin(call_ref<hedge_call> self) {
    has_begun_ = true;
    bool const is_late = stop_type_ != net::cancellation_type::none;
    go_on(std::move(self), true, [&] {  // maybe inside the function that begins the call
      if (!is_late || !steps::makes_refusals) perform(machine_.begin());  // nothing but a result could say so
      if (is_late) stop();
    });
  }

  void on_timer(call_ref<hedge_call> self, bool was_cancelled) {
    go_on(std::move(self), false, [&] {
      if (machine_.is_finished()) return;
      if (was_cancelled) return end_waiting();  // by code outside the call: no attempt follows those under way
      perform(machine_.on_time());
    });
  }

  /// A request from the handler's cancellation slot.
  void cancel(net::cancellation_type_t type) {
    if (type == net::cancellation_type::none || machine_.is_finished()) return;
    stop_type_ = type;
    if (has_begun_) go_on(this->another(), true, [&] { stop(); });
  }

 private:
  struct place_type : steps::place_type {
    std::uint32_t number = 0;  ///< of the attempt that is here; 0: none
    ANEW_NO_UNIQUE_ADDRESS
    std::conditional_t<steps::limits_attempts, lazy_timer<typename steps::home_type::timer_type>, no_timer> timer;
    std::optional<typename steps::arguments> kept;  ///< what it completed with, and cannot be looked at yet

    place_type() { this->cancels.is_passed_on = true; }
  };

  template <class StrategyArg, class HedgesArg, class OpArg>
  hedge_call(Handler& waiting, Timers&& source, StrategyArg&& by, HedgesArg&& hedging, OpArg&& what)
      : steps{waiting, std::move(source), std::forward<OpArg>(what)},
        strategy_{std::forward<StrategyArg>(by)},
        hedging_{std::forward<HedgesArg>(hedging)},
        // NOLINTNEXTLINE(bugprone-use-after-move): each is in its place, or is still where the caller has it
        machine_{strategy_.get(by), hedging_.get(hedging), detail::operation_name_of(this->operation_)} {}
  ~hedge_call() = default;

  [[nodiscard]] auto& place_at(std::uint32_t at) noexcept { return places_[at]; }
  [[nodiscard]] auto& kept_at(std::uint32_t at) noexcept { return places_[at].kept; }
  [[nodiscard]] auto& limit_timer(std::uint32_t at) noexcept { return places_[at].timer; }

  /// If the attempt had lost, the call waits for the others; otherwise the call ends, and its handler is destroyed
  /// uncalled when the others have come back.
  void lose(call_ref<hedge_call> self, std::uint32_t at) noexcept {
    places_[at].number = 0;
    if (!machine_.is_finished()) return abandon();
    detail::unless_out_of_memory([&] { settle(std::move(self), true); });
  }

  /// A user's function has thrown, or an attempt went away: the strategy gets back at once what the call holds, the
  /// other attempts are cancelled, and the handler is destroyed uncalled.
  void abandon() {
    if (std::exchange(is_broken_, true)) return;
    machine_.abandon();
    unset_timer();
    for (std::uint32_t at = 0; at != places; ++at) this->disarm(at);
    cancel_all(net::cancellation_type::terminal);
  }

  /// Does `step`, which may throw, and ends the call if only `self` is left of it.
  void go_on(call_ref<hedge_call> self, bool is_outside, auto step) {
    on_exit unless_done{[this] { abandon(); }};
    if (!is_broken_) step();
    unless_done.dismiss();
    settle(std::move(self), is_outside);
  }

  /// Does the machine's next step.
  void perform(hedge_step const& step) {
    if (step.timer != hedge_timer::keep || step.finished) unset_timer();
    if (step.timer == hedge_timer::set)
      this->wait(step.after, timer_handler<&hedge_call::on_timer, hedge_call>{this->another(), wait_});
    if (step.start != 0) start(step.start);
    if (step.finished) cancel_all(net::cancellation_type::terminal);
  }
  void unset_timer() {
    if (!wait_.is_pending()) return;
    wait_.let_go();
    this->timer_.forget();
  }

  /// No further attempt starts. A call between two attempts ends.
  void end_waiting() {
    auto const step = machine_.request_stop();
    if (step.finished) this->write_aborted();
    perform(step);
  }
  void stop() {
    end_waiting();
    cancel_all(stop_type_);
  }
  void cancel_all(net::cancellation_type_t type) {
    for (std::uint32_t at = 0; at != places; ++at) this->emit(at, type);
  }

  void start(std::uint32_t number) {
    std::uint32_t at = 0;
    while (places_[at].number != 0) ++at;  // the machine starts no more than there are places
    places_[at].number = number;
    this->make_attempt(this->another(), at);
    // An end of the call inside the attempt's own initiating function could not reach it.
    if (is_broken_) return this->emit(at, net::cancellation_type::terminal);
    if (machine_.is_stopped()) this->emit(at, stop_type_);
  }

  /// An attempt is over, and nothing refers to its place any more.
  template <class... Args>
  void judge(call_ref<hedge_call> self, std::uint32_t at, Args&&... args) {
    auto number = std::exchange(places_[at].number, 0U);
    go_on(std::move(self), false, [&] {
      if (machine_.is_finished()) return;  // it lost, and its result is destroyed
      bool const was_stopped = machine_.is_stopped();
      auto const step = this->read(number, places_[at].limit.is_over, args...);
      this->last_.emplace(std::move(args)...);  // the call's, or the last failure's so far
      if (machine_.is_stopped() && !was_stopped)
        cancel_all(net::cancellation_type::terminal);  // one attempt's is the call's
      perform(step);
    });
  }

  /// Ends the call if only `self` is left of it. `is_outside`: not in a handler of the loop.
  void settle(call_ref<hedge_call> self, bool is_outside) {
    if (is_broken_ || !machine_.is_finished() || !this->is_last()) return;
    if (!is_outside) return this->finish(std::move(self));
    net::post(event_handler<&hedge_call::finish, hedge_call>{std::move(self)});
  }

  ANEW_NO_UNIQUE_ADDRESS stored_strategy<Strategy> strategy_;
  ANEW_NO_UNIQUE_ADDRESS stored_strategy<Hedges> hedging_;
  hedge_engine<S, H> machine_;
  place_type places_[places];
  timer_wait_of<hedge_call> wait_;  ///< of the timer, or a post
  net::cancellation_type_t stop_type_ = net::cancellation_type::none;
  bool has_begun_ = false;
  bool is_broken_ = false;
};

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
  } else if constexpr (!detail::explain_async<S, Op, Timers, Token>()) {
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
/// that comes back decides, or `operation_aborted` if none was in flight. If anything else cancels an attempt, the
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
decltype(auto) async_hedge(detail::SaysWhere auto&& /*where*/, auto&& strategy, detail::NoHedging auto&& operation,
                           auto&& token) {
  return detail::async_hedge_on(detail::no_timers{}, strategy, operation, operation, token);
}

}  // namespace anew::inline ANEW_ABI

#endif
