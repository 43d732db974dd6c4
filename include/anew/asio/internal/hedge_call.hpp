// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ASIO_INTERNAL_HEDGE_CALL_HPP
#define ANEW_ASIO_INTERNAL_HEDGE_CALL_HPP

#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "anew/asio/initiates.hpp"
#include "anew/asio/internal/call_block.hpp"
#include "anew/asio/internal/call_ref.hpp"
#include "anew/asio/internal/foreign_handler.hpp"
#include "anew/asio/internal/handlers.hpp"
#include "anew/asio/internal/hedge_handlers.hpp"
#include "anew/asio/internal/hedge_place.hpp"
#include "anew/asio/internal/net.hpp"
#include "anew/asio/internal/read_completion.hpp"
#include "anew/hedge/hedge_machine.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/attempt.hpp"

/// One asynchronous call with several attempts in flight. It ends when the machine says so and its last attempt has
/// come back: the losers are cancelled, but they use the caller's objects.
namespace anew::inline ANEW_ABI::detail {

template <class Strategy, class Hedges, class Op, class Timers, class Handler, class Signature>
class hedge_call;

template <class Strategy, class Hedges, class Op, class Timers, class Handler, class... Args>
class hedge_call<Strategy, Hedges, Op, Timers, Handler, void(Args...)>
    : public call_block<hedge_call<Strategy, Hedges, Op, Timers, Handler, void(Args...)>, Timers, Handler> {
  using block = call_block<hedge_call, Timers, Handler>;

 public:
  using S = typename Strategy::type;
  using H = typename Hedges::type;
  using typename block::home_type;
  using this_attempt = attempt_ref<hedge_call, std::uint32_t>;
  static constexpr std::uint32_t places = static_cast<std::uint32_t>(H::most_extra) + 1;
  static constexpr bool limits_attempts = HasAttemptTimeout<S>;
  static constexpr operation_form form = form_of<undeclared_t<Op>>();
  static constexpr bool takes_attempt = is_told_of_attempt<form>;

  template <class StrategyArg, class HedgesArg, class OpArg>
  static void begin(Handler& handler, Timers&& timers, StrategyArg&& strategy, HedgesArg&& hedging, OpArg&& operation) {
    auto self = block::make(handler, std::move(timers), std::forward<StrategyArg>(strategy),
                            std::forward<HedgesArg>(hedging), std::forward<OpArg>(operation));
    self.get()->connect();
    net::dispatch(hedge_begin_handler<hedge_call>{std::move(self)});
  }

  hedge_call(hedge_call const&) = delete;
  hedge_call& operator=(hedge_call const&) = delete;

  [[nodiscard]] net::cancellation_slot slot_of(std::uint32_t place) noexcept { return places_[place].signal.slot(); }

  void on_begin(call_ref<hedge_call> self) {
    abandoned_by_throw<hedge_call> guarded{this};
    has_begun_ = true;
    if (is_stopped_ && makes_refused_arguments<Args...>) {
      perform(machine_.request_stop());
    } else {
      bool const is_late_for_it = is_stopped_;  // nothing but an attempt's result could say so
      perform(machine_.begin());
      if (is_late_for_it) stop();
    }
    guarded.call = nullptr;
    settle(std::move(self), true);  // maybe inside the function that begins the call
  }

  void on_attempt(this_attempt&& now, Args... args) {
    auto& place = places_[now.place()];
    place.is_running = false;
    if (place.is_entered) {
      place.args.emplace(std::move(args)...);
      net::post(arrived_handler<this_attempt>{std::move(now)});
      return;
    }
    if constexpr (limits_attempts) {
      if (place.limit.is_armed) {  // its timer refers to this place: the attempt is over when that has come back
        place.args.emplace(std::move(args)...);
        place.limit.attempt_is_done = true;
        place.limit.timer->cancel();
        [[maybe_unused]] auto const until_then = now.take();
        return;
      }
    }
    conclude(now.take(), place, std::move(args)...);
  }

  /// As in `retry_call`.
  void on_over(std::uint32_t at) noexcept { places_[at].is_running = false; }
  void keep(std::uint32_t at, Args... args) { places_[at].args.emplace(std::move(args)...); }
  void on_arrived(call_ref<hedge_call> self, std::uint32_t at) {
    auto args = *std::move(places_[at].args);
    places_[at].args.reset();
    this_attempt now{std::move(self), at};
    std::apply([&](auto&&... arg) { on_attempt(std::move(now), std::move(arg)...); }, std::move(args));
  }

  /// An attempt went away without completing. If it had lost, the call waits for the others; otherwise the call ends,
  /// and its handler is destroyed uncalled when the others have come back.
  ANEW_COLD void on_gone(std::uint32_t at) noexcept {
    call_ref<hedge_call> self{this};
    auto& place = places_[at];
    place.is_running = false;
    place.number = 0;
    if (is_broken_) return;
    if (!machine_.is_finished()) return abandon();
    place.limit.disarm();
#if ANEW_EXCEPTIONS
    try {
      settle(std::move(self), true);
    } catch (...) {  // NOLINT(bugprone-empty-catch): without memory for a post the handler goes unused
    }
#else
    settle(std::move(self), true);
#endif
  }

  void on_limit(call_ref<hedge_call> self, bool was_cancelled, std::uint32_t at) {
    auto& place = places_[at];
    place.limit.is_armed = false;
    if (place.limit.attempt_is_done) {
      auto args = *std::move(place.args);
      place.args.reset();
      return std::apply([&](auto&&... arg) { conclude(std::move(self), place, std::move(arg)...); }, std::move(args));
    }
    if (!was_cancelled) {  // else by a timer source that closes: there is no limit any more
      place.limit.is_over = !is_stopped_ && !machine_.is_finished();  // what the caller cancelled is not late
      place.emit(net::cancellation_type::terminal);
    }
    settle(std::move(self), false);
  }

  void on_timer(call_ref<hedge_call> self, std::uint32_t generation, bool was_cancelled) {
    if (generation == generation_ && !machine_.is_finished() && !is_broken_) {
      abandoned_by_throw<hedge_call> guarded{this};
      if (was_cancelled) {  // by nobody who could know of it: those under way are the last
        end_waiting();
      } else {
        perform(machine_.on_time());
      }
      guarded.call = nullptr;
    }
    settle(std::move(self), false);
  }

  void on_end(call_ref<hedge_call> self) { finish(std::move(self)); }

  /// A request from the handler's cancellation slot.
  void cancel(net::cancellation_type_t type) {
    if (type == net::cancellation_type::none || machine_.is_finished() || is_broken_) return;
    is_stopped_ = true;
    stop_type_ = type;
    if (!has_begun_) return;
    call_ref<hedge_call> self = this->another();
    stop();
    settle(std::move(self), true);
  }

  /// Whoever calls a function of the operation holds a reference to the call.
  [[nodiscard]] static bool stays() noexcept { return false; }

  /// A user's function has thrown, or an attempt went away: the strategy gets back at once what the call holds, the
  /// other attempts are cancelled, and the handler is destroyed uncalled.
  void abandon() {
    if (std::exchange(is_broken_, true)) return;
    machine_.abandon();
    unset_timer();
    for (auto& place : places_) place.limit.disarm();
    cancel_all(net::cancellation_type::terminal);
  }

 private:
  friend block;
  using arguments = std::tuple<std::decay_t<Args>...>;
  using place_type = hedge_place<arguments, std::conditional_t<limits_attempts, typename home_type::timer_type, void>,
                                 takes_attempt, SaysItsSignature<undeclared_t<Op>>>;

  template <class StrategyArg, class HedgesArg, class OpArg>
  hedge_call(Handler& waiting, Timers&& source, StrategyArg&& by, HedgesArg&& hedging, OpArg&& what)
      : block{waiting, std::move(source)},
        strategy_{std::forward<StrategyArg>(by)},
        hedging_{std::forward<HedgesArg>(hedging)},
        operation_{std::forward<OpArg>(what)},
        machine_{strategy_.get(), hedging_.get(), idempotent_call} {}

  ~hedge_call() = default;

  /// Does the machine's next step.
  void perform(hedge_step const& step) {
    if (step.timer == hedge_timer::set) {
      set_timer(step.after);
    } else if (step.timer == hedge_timer::cancel || step.finished) {
      unset_timer();
    }
    if (step.start != 0) start(step.start);
    if (step.finished) cancel_all(net::cancellation_type::terminal);
  }

  void set_timer(duration after) {
    unset_timer();
    if (after <= duration::zero()) {
      net::post(hedge_timer_handler<hedge_call>{this->another(), generation_});
      return;
    }
    if (!timer_) timer_.emplace(this->home_.make_timer(this->handler_));
    timer_->expires_after(after);
    timer_->async_wait(hedge_timer_handler<hedge_call>{this->another(), generation_});
  }
  void unset_timer() {
    ++generation_;
    if (timer_) timer_->cancel();
  }

  /// No further attempt starts. A call between two attempts ends.
  void end_waiting() {
    auto const step = machine_.request_stop();
    ended_waiting_ = step.finished;
    perform(step);
  }
  void stop() {
    end_waiting();
    cancel_all(stop_type_);
  }

  void cancel_all(net::cancellation_type_t type) {
    for (auto& place : places_) place.emit(type);
  }

  void start(std::uint32_t number) {
    std::uint32_t at = 0;
    while (places_[at].number != 0) ++at;  // the machine starts no more than there are places
    auto& place = places_[at];
    place.number = number;
    place.signal.slot().clear();  // an operation may leave in it what refers to things that are gone
    [[maybe_unused]] attempt::parts told{};
    if constexpr (takes_attempt || limits_attempts) told = machine_.current();
    if constexpr (limits_attempts) {
      static_cast<attempt_timeout_state&>(place.limit) = {};
      if (told.limit != duration::max()) {
        if (!place.limit.timer) place.limit.timer.emplace(this->home_.make_timer(this->handler_));
        place.limit.timer->expires_after(larger(told.limit, duration::zero()));
        place.limit.is_armed = true;
        place.limit.timer->async_wait(limit_handler<hedge_call, std::uint32_t>{this->another(), at});
      }
    }
    place.is_running = true;
    {
      inside_function const frame{place.is_entered};
      make_attempt(place, told, at);
    }
    if (is_stopped_) place.emit(stop_type_);  // inside its own initiating function: it could not hear of it yet
  }

  void make_attempt(place_type& place, [[maybe_unused]] attempt::parts& told, std::uint32_t at) {
    using handler_type = std::conditional_t<SaysItsSignature<undeclared_t<Op>>, foreign_handler<this_attempt>,
                                            attempt_handler<this_attempt>>;
    if constexpr (takes_attempt) {
      told.stop = {this, [](void const* call) { return static_cast<hedge_call const*>(call)->wants_no_more(); }, false};
    }
    block::template initiate<form, handler_type>(detail::undeclared(operation_), place.its_attempt, told,
                                                 this_attempt{this->another(), at});
  }

  [[nodiscard]] bool wants_no_more() const noexcept { return is_stopped_ || machine_.is_finished(); }

  /// An attempt is over, and nothing refers to its place any more.
  void conclude(call_ref<hedge_call> self, place_type& place, Args&&... args) {
    auto const number = std::exchange(place.number, 0U);
    if (!machine_.is_finished() && !is_broken_) {  // else it lost, and its result is destroyed
      abandoned_by_throw<hedge_call> guarded{this};
      judge(number, place.limit.is_over, std::move(args)...);
      guarded.call = nullptr;
    }
    settle(std::move(self), false);
  }

  void judge(std::uint32_t number, bool is_late, Args&&... args) {
    one_of_several<S, H> one{machine_, number, strategy_.get()};
    auto const step = detail::read_completion(one, operation_, is_late, args...);
    result_.emplace(std::move(args)...);  // the call's, or the last failure's so far
    if (is_late && !is_stopped_) std::apply([](auto&... arg) { detail::write_late(arg...); }, *result_);
    if (one.was_cancelled && !is_stopped_) {
      is_stopped_ = true;
      cancel_all(stop_type_);
    }
    perform(step);
  }

  /// Ends the call if only `self` is left of it. `is_outside`: not in a handler of the loop.
  void settle(call_ref<hedge_call> self, bool is_outside) {
    if (is_broken_ || !machine_.is_finished() || !this->is_last()) return;
    if (is_outside) {
      net::post(end_handler<hedge_call>{std::move(self)});
    } else {
      finish(std::move(self));
    }
  }

  void finish(call_ref<hedge_call> self) {
    if (!result_) {
      if constexpr (makes_refused_arguments<Args...>) {
        result_.emplace(detail::refused_arguments<Args...>(machine_.reason()));
      }
    } else if (ended_waiting_) {
      detail::write_error_of_first(*result_, net::error::operation_aborted);
    }
    auto args = *std::move(result_);
    std::apply([&](auto&&... arg) { this->deliver(std::move(self), std::move(arg)...); }, std::move(args));
  }

  ANEW_NO_UNIQUE_ADDRESS Strategy strategy_;
  ANEW_NO_UNIQUE_ADDRESS Hedges hedging_;
  ANEW_NO_UNIQUE_ADDRESS Op operation_;
  hedge_machine<S, H, declared::idempotent> machine_;
  std::optional<typename home_type::timer_type> timer_;
  std::optional<arguments> result_;
  place_type places_[places];
  std::uint32_t generation_ = 0;
  net::cancellation_type_t stop_type_ = net::cancellation_type::terminal;
  bool has_begun_ = false;
  bool is_stopped_ = false;
  bool ended_waiting_ = false;  ///< by a stop, with no attempt under way whose result would be the call's
  bool is_broken_ = false;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
