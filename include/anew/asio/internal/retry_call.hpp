// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ASIO_INTERNAL_RETRY_CALL_HPP
#define ANEW_ASIO_INTERNAL_RETRY_CALL_HPP

#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "anew/asio/initiates.hpp"
#include "anew/asio/internal/call_block.hpp"
#include "anew/asio/internal/call_ref.hpp"
#include "anew/asio/internal/foreign_handler.hpp"
#include "anew/asio/internal/handlers.hpp"
#include "anew/asio/internal/net.hpp"
#include "anew/asio/internal/read_completion.hpp"
#include "anew/asio/timer_source.hpp"
#include "anew/drive/internal/machine.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/attempt.hpp"

/// One asynchronous call with one attempt at a time: its operation, its state and the handler that waits for its end.
namespace anew::inline ANEW_ABI::detail {

template <class Strategy, class Op, class Timers, class Handler, class Signature>
class retry_call;

template <class Strategy, class Op, class Timers, class Handler, class... Args>
class retry_call<Strategy, Op, Timers, Handler, void(Args...)>
    : public call_block<retry_call<Strategy, Op, Timers, Handler, void(Args...)>, Timers, Handler> {
  using block = call_block<retry_call, Timers, Handler>;

 public:
  using S = typename Strategy::type;
  using typename block::home_type;
  static constexpr bool knows_executor = home_type::knows_executor;
  static constexpr bool limits_attempts = HasAttemptTimeout<S>;
  static constexpr bool may_cancel = limits_attempts || has_a_slot<Handler>;
  static constexpr operation_form form = form_of<undeclared_t<Op>>();
  static constexpr bool takes_attempt = is_told_of_attempt<form>;
  static constexpr completion_shape shape = completion_shape_of<Args...>();

  /// Makes a call and starts it.
  template <class StrategyArg, class OpArg>
  static void begin(Handler& handler, Timers&& timers, StrategyArg&& strategy, OpArg&& operation) {
    auto self =
        block::make(handler, std::move(timers), std::forward<StrategyArg>(strategy), std::forward<OpArg>(operation));
    auto* const call = self.get();
    if constexpr (has_a_slot<Handler>) {
      if (call->connect()) call->cancels_.is_passed_on = true;
    }
    call->follow(std::move(self), call->machine_.begin());
  }

  /// Makes a call whose first attempt is over, and continues it. `is_inside`: inside the attempt's initiation.
  ANEW_COLD static void go_on(Handler& handler, Timers&& timers, Strategy&& strategy, Op&& operation, bool is_inside,
                              Args... args) {
    auto self = block::make(handler, std::move(timers), std::move(strategy), std::move(operation));
    auto* const call = self.get();
    if (call->machine_.begin() != next_step::attempt) return;  // a strategy that asks nothing before a first attempt
    if (is_inside) {
      call->last_.emplace(std::move(args)...);
      call->post(late_handler<retry_call>{std::move(self)});
    } else {
      call->judge(std::move(self), std::move(args)...);
    }
  }

  retry_call(retry_call const&) = delete;
  retry_call& operator=(retry_call const&) = delete;

  [[nodiscard]] net::cancellation_slot slot_of(only_place /*at*/) noexcept {
    if constexpr (may_cancel) {
      if (cancels_.is_passed_on) return cancels_.signal.slot();
    }
    return {};
  }
  template <class Executor>
  void remember(Executor const& executor) {
    this->home_.remember(executor);
  }

  /// The attempt is over.
  ANEW_INLINE void on_attempt(attempt_ref<retry_call>&& now, Args... args) {
    if constexpr (may_cancel) is_running_ = false;
    if constexpr (limits_attempts) {
      if (limit_.is_armed) {  // the timer's handler refers to this call too: it goes on when that has come back
        last_.emplace(std::move(args)...);
        limit_.attempt_is_done = true;
        timer_->cancel();
        [[maybe_unused]] auto const until_then = now.take();
        return;
      }
    }
    judge(now.take(), std::move(args)...);
  }

  /// The attempt's timeout expired, or was cancelled.
  void on_limit(call_ref<retry_call> self, bool was_cancelled) {
    limit_.is_armed = false;
    if (limit_.attempt_is_done) {
      limit_.attempt_is_done = false;
      return on_late(std::move(self));
    }
    if (was_cancelled || !is_running_) return;  // a timer source that closes, or the attempt is gone
    limit_.is_over = !machine_.is_stopped();    // what the caller cancelled is not late
    // From here on only the attempt keeps the call alive, and may end it inside emit().
    emit(std::move(self), net::cancellation_type::terminal);
  }

  /// The attempt went away without completing: its initiating function threw, or its handler was destroyed uncalled.
  /// The call ends and refunds at once what it holds; its memory stays until the operation's function has returned and
  /// the timeout's timer has come back.
  ANEW_COLD void on_gone() noexcept {
    call_ref<retry_call> const last{this};
    is_running_ = false;
    machine_.abandon();
    if constexpr (limits_attempts) {
      if (limit_.is_armed) timer_->cancel();
    }
  }
  /// The last reference is gone: true if a function of its operation is on the stack, which then keeps the call alive.
  [[nodiscard]] bool stays() noexcept {
    auto* const inside = initiation_of_call::of(this);
    return inside != nullptr && inside->keep(this);
  }
  /// A function of the operation has returned, during which the attempt went away or could not be told of a stop.
  ANEW_COLD void on_left(call_ref<retry_call>&& self, net::cancellation_type_t stop) {
    auto last = std::move(self);
    if constexpr (may_cancel) {
      if (is_running_ && stop != net::cancellation_type::none) emit(std::move(last), stop);
    }
  }

  void on_wait(call_ref<retry_call> self, bool was_cancelled) {
    if (machine_.is_stopped()) return end_stopped(std::move(self));
    if (was_cancelled) {  // by code outside the call, such as a timer source that closes
      machine_.finish(stop_reason::cancelled);
      return end_stopped(std::move(self));
    }
    follow(std::move(self), machine_.on_wait_over());
  }

  /// The attempt is over, reported from any thread: the handler that its operation left in the slot is not called any
  /// more.
  void on_over(only_place /*at*/) noexcept { is_running_ = false; }
  void keep(only_place /*at*/, Args... args) { last_.emplace(std::move(args)...); }
  void on_arrived(call_ref<retry_call> self, only_place /*at*/) {
    auto args = *std::move(last_);
    last_.reset();
    this_attempt now{std::move(self)};
    std::apply([&](auto&&... arg) { on_attempt(std::move(now), std::move(arg)...); }, std::move(args));
  }

  /// Handles an attempt that completed inside its own initiation, after that has returned.
  void on_late(call_ref<retry_call> self) {
    auto args = *std::move(last_);
    last_.reset();
    std::apply([&](auto&&... arg) { judge(std::move(self), std::move(arg)...); }, std::move(args));
  }

  /// Continues after a post: its attempt completed inside its own initiation, or was never made.
  void on_end(call_ref<retry_call> self) { deliver_last(std::move(self)); }

  /// A request from the handler's cancellation slot.
  void cancel(net::cancellation_type_t type) {
    if (type == net::cancellation_type::none) return;
    if (machine_.request_stop() == next_step::attempt) {
      // A finished operation may leave a dangling handler in the slot.
      if (!is_running_) return;
      auto* const inside = initiation_of_call::of(this);
      if (inside != nullptr && !cancels_.signal.slot().has_handler()) return inside->keep(this->another(), type);
      emit(this->another(), type);
    } else if (timer_) {
      timer_->cancel();
    }
  }

 private:
  friend block;
  using arguments = std::tuple<std::decay_t<Args>...>;

  template <class StrategyArg, class OpArg>
  ANEW_INLINE retry_call(Handler& waiting, Timers&& source, StrategyArg&& by, OpArg&& what)
      : block{waiting, std::move(source)},
        strategy_{std::forward<StrategyArg>(by)},
        operation_{std::forward<OpArg>(what)},
        machine_{strategy_.get()} {}

  ~retry_call() = default;

  ANEW_INLINE void follow(call_ref<retry_call>&& self, next_step step) {
    switch (step) {
      case next_step::attempt: return make_attempt(std::move(self));
      case next_step::wait: return make_wait(std::move(self));
      case next_step::finished: break;
    }
    if (machine_.attempts() == 0) {
      if constexpr (makes_refused_arguments<Args...>) {
        last_.emplace(detail::refused_arguments<Args...>(machine_.reason()));
        post(end_handler<retry_call>{std::move(self)});  // never inside the function that begins the call
      }
    } else {
      deliver_last(std::move(self));
    }
  }

  using this_attempt = attempt_ref<retry_call>;

  ANEW_INLINE void make_attempt(call_ref<retry_call>&& self) {
    this_attempt now{std::move(self)};  // whatever throws from here on: the attempt is gone
    if (last_) [[unlikely]]
      last_.reset();
    using handler_type = std::conditional_t<SaysItsSignature<undeclared_t<Op>>, foreign_handler<this_attempt>,
                                            attempt_handler<this_attempt>>;
    [[maybe_unused]] attempt::parts told{};
    if constexpr (takes_attempt || limits_attempts) told = machine_.current();
    if constexpr (limits_attempts) {
      limit_.is_over = false;
      if (told.limit != duration::max()) {
        cancels_.is_passed_on = true;
        limit_.is_armed = true;
        timer().expires_after(larger(told.limit, duration::zero()));
        timer_->async_wait(limit_handler<retry_call>{this->another()});
      }
    }
    if constexpr (may_cancel) {
      if (cancels_.is_passed_on && machine_.attempts() > 1) cancels_.signal.slot().clear();
      is_running_ = true;
    }
    initiation_of_call frame{this};
    if constexpr (takes_attempt) {
      told.stop = {this, [](void const* call) { return static_cast<retry_call const*>(call)->machine_.is_stopped(); },
                   false};
    }
    this->template initiate<form, handler_type>(detail::undeclared(operation_), attempt_, told, std::move(now));
  }

  /// Do not touch the call after that: it may be over. An end inside the slot's function waits until that has returned.
  void emit(call_ref<retry_call>&& self, net::cancellation_type_t type) {
    initiation_of_call frame{this};
    frame.keep(std::move(self), net::cancellation_type::none);
    cancels_.signal.emit(type);
  }

  void make_wait(call_ref<retry_call> self) {
    if (machine_.wait() <= duration::zero()) return post(resume_handler<retry_call>{std::move(self)});
    timer().expires_after(machine_.wait());
    timer_->async_wait(wait_handler<retry_call>{std::move(self)});
  }

  template <class Posted>
  void post(Posted handler) {
    if constexpr (!knows_executor) this->home_.require();
    net::post(std::move(handler));
  }

  ANEW_INLINE void judge(call_ref<retry_call>&& self, Args&&... args) {
    bool is_late = false;
    if constexpr (limits_attempts) is_late = limit_.is_over;
    auto const step = detail::read_completion(machine_, operation_, is_late, args...);
    if constexpr (limits_attempts) {
      bool const failed = step != next_step::finished || machine_.reason() != stop_reason::succeeded;
      if (is_late && failed && !machine_.is_stopped()) detail::write_late(args...);
    }
    if (step == next_step::finished) [[likely]] {
      if (initiation::is_under_way(this)) [[unlikely]] {
        last_.emplace(std::move(args)...);
        return post(end_handler<retry_call>{std::move(self)});
      }
      return this->deliver(std::move(self), std::move(args)...);
    }
    last_.emplace(std::move(args)...);
    make_wait(std::move(self));
  }

  void end_stopped(call_ref<retry_call> self) {
    if (last_) {
      detail::write_error_of_first(*last_, net::error::operation_aborted);
    } else if constexpr (makes_refused_arguments<Args...>) {
      last_.emplace(detail::refused_arguments<Args...>(stop_reason::cancelled));
    }
    deliver_last(std::move(self));
  }

  void deliver_last(call_ref<retry_call> self) {
    auto args = *std::move(last_);
    std::apply([&](auto&&... arg) { this->deliver(std::move(self), std::move(arg)...); }, std::move(args));
  }

  [[nodiscard]] auto& timer() {
    if (!timer_) timer_.emplace(this->home_.make_timer(this->handler_));
    return *timer_;
  }

  ANEW_NO_UNIQUE_ADDRESS Strategy strategy_;
  ANEW_NO_UNIQUE_ADDRESS Op operation_;
  machine<S> machine_;
  std::optional<typename home_type::timer_type> timer_;
  std::optional<arguments> last_;
  ANEW_NO_UNIQUE_ADDRESS attempt_slot<takes_attempt> attempt_;
  ANEW_NO_UNIQUE_ADDRESS std::conditional_t<limits_attempts, attempt_timeout_state, no_limit_state> limit_;
  ANEW_NO_UNIQUE_ADDRESS std::conditional_t<may_cancel, attempt_signal, no_attempt_signal> cancels_;
  running_flag<SaysItsSignature<undeclared_t<Op>>> is_running_{false};
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
