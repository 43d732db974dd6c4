// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ASIO_RETRY_CALL_HPP
#define ANEW_ASIO_RETRY_CALL_HPP

#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "anew/asio/call_block.hpp"
#include "anew/asio/config.hpp"
#include "anew/asio/handlers.hpp"
#include "anew/asio/read_completion.hpp"
#include "anew/asio/signature.hpp"
#include "anew/asio/timer_source.hpp"
#include "anew/attempt.hpp"
#include "anew/config.hpp"
#include "anew/detail/machine.hpp"

#ifdef ANEW_STANDALONE_ASIO
#include <asio/cancellation_signal.hpp>
#include <asio/dispatch.hpp>
#include <asio/post.hpp>
#else
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#endif

/// One asynchronous call with one attempt at a time: its operation, its state and the handler that waits for its end.
namespace anew::detail {

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
  static constexpr bool limits_attempts = HasAttemptLimit<S>;
  static constexpr operation_form form = form_of<undeclared_t<Op>>();
  static constexpr bool takes_attempt = is_told_of_attempt<form>;
  static constexpr completion_shape shape = completion_shape_of<Args...>();

  /// Makes a call and begins it.
  template <class StrategyArg, class OpArg>
  static void begin(Handler& handler, Timers&& timers, StrategyArg&& strategy, OpArg&& operation) {
    auto self =
        block::make(handler, std::move(timers), std::forward<StrategyArg>(strategy), std::forward<OpArg>(operation));
    auto* const call = self.get();
    if (call->connect()) call->passes_signal_ = true;
    call->follow(std::move(self), call->machine_.begin());
  }

  /// Makes a call whose first attempt is over, and goes on with it. `is_inside`: inside the attempt's initiation.
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

  [[nodiscard]] net::cancellation_slot get_cancellation_slot() noexcept {
    return passes_signal_ ? signal_.slot() : net::cancellation_slot{};
  }
  template <class Executor>
  void remember(Executor const& executor) {
    this->home_.remember(executor);
  }

  /// The attempt is over.
  ANEW_INLINE void on_attempt(call_ref<retry_call>&& self, Args... args) {
    is_running_ = false;
    if constexpr (limits_attempts) {
      if (limit_.is_armed) {  // the timer's handler refers to this call too: it goes on when that has come back
        last_.emplace(std::move(args)...);
        limit_.attempt_is_done = true;
        timer_->cancel();
        return;
      }
    }
    judge(std::move(self), std::move(args)...);
  }

  /// The time limit of an attempt is over, or was taken back.
  void on_limit(call_ref<retry_call> self, bool was_cancelled) {
    limit_.is_armed = false;
    if (limit_.attempt_is_done) {
      limit_.attempt_is_done = false;
      return on_late(std::move(self));
    }
    if (was_cancelled) return;                // a timer source that closes: there is no limit any more
    limit_.is_over = !machine_.is_stopped();  // what the caller cancelled is not late
    // The attempt's handler keeps the call alive, and may end it inside of emit(): nothing else may hold it then.
    {
      call_ref<retry_call> const over{std::move(self)};
    }
    signal_.emit(net::cancellation_type::terminal);
  }

  void on_wait(call_ref<retry_call> self, bool was_cancelled) {
    if (machine_.is_stopped()) return end_stopped(std::move(self));
    if (was_cancelled) {  // by nobody who could know of it, such as a timer source that closes
      machine_.finish(stop_reason::cancelled);
      return end_stopped(std::move(self));
    }
    follow(std::move(self), machine_.on_wait_over());
  }

  /// The attempt is over, said anywhere.
  void on_foreign(call_ref<retry_call> self, Args... args) {
    last_.emplace(std::move(args)...);
    net::dispatch(arrived_handler<retry_call>{std::move(self)});
  }
  void on_arrived(call_ref<retry_call> self) {
    auto args = *std::move(last_);
    last_.reset();
    std::apply([&](auto&&... arg) { on_attempt(std::move(self), std::move(arg)...); }, std::move(args));
  }

  /// An attempt that completed inside its own initiation is looked at outside of it.
  void on_late(call_ref<retry_call> self) {
    auto args = *std::move(last_);
    last_.reset();
    std::apply([&](auto&&... arg) { judge(std::move(self), std::move(arg)...); }, std::move(args));
  }

  /// What was posted, because its attempt completed inside its own initiation, or was never made.
  void on_end(call_ref<retry_call> self) { deliver_last(std::move(self)); }

  /// A request of the handler's cancellation slot.
  void cancel(net::cancellation_type_t type) {
    if (type == net::cancellation_type::none) return;
    if (machine_.request_stop() == next_step::attempt) {
      // What an operation that is over left in the slot may refer to what is gone.
      if (is_running_) signal_.emit(type);  // after it the call may be over
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

  ANEW_INLINE void make_attempt(call_ref<retry_call>&& self) {
    last_.reset();
    using handler_type = std::conditional_t<SaysItsSignature<undeclared_t<Op>>, foreign_handler<retry_call>,
                                            attempt_handler<retry_call>>;
    [[maybe_unused]] attempt::parts told{};
    if constexpr (takes_attempt || limits_attempts) told = machine_.current();
    if constexpr (limits_attempts) {
      limit_.is_over = false;
      if (told.limit != duration::max()) {
        passes_signal_ = true;
        limit_.is_armed = true;
        timer().expires_after(larger(told.limit, duration::zero()));
        timer_->async_wait(limit_handler<retry_call>{this->another()});
      }
    }
    if (passes_signal_ && machine_.attempts() > 1) signal_.slot().clear();
    is_running_ = true;
    initiation const frame{this};
    if constexpr (takes_attempt) {
      told.stop = {this, [](void const* call) { return static_cast<retry_call const*>(call)->machine_.is_stopped(); },
                   false};
    }
    this->template initiate<form, handler_type>(detail::undeclared(operation_), attempt_, told, std::move(self));
  }

  void make_wait(call_ref<retry_call> self) {
    if (machine_.wait() <= duration::zero()) return post(resume_handler<retry_call>{std::move(self)});
    timer().expires_after(machine_.wait());
    timer_->async_wait(wait_handler<retry_call>{std::move(self)});
  }

  template <class Posted>
  void post(Posted handler) {
    net::post(std::move(handler));
  }

  ANEW_INLINE void judge(call_ref<retry_call>&& self, Args&&... args) {
    bool is_late = false;
    if constexpr (limits_attempts) is_late = limit_.is_over;
    auto const step = detail::read_completion(machine_, operation_, is_late, args...);
    if constexpr (limits_attempts) {
      bool const failed = step != next_step::finished || machine_.reason() != stop_reason::succeeded;
      if (is_late && failed && !machine_.is_stopped()) write_late(args...);
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

  /// An attempt that was cancelled because it was late says that it was late.
  template <class... Arg>
  static void write_late([[maybe_unused]] Arg&... args) {
    if constexpr (shape == completion_shape::error_code || shape == completion_shape::exception) {
      auto& first = std::get<0>(std::tie(args...));
      if (detail::is_cancellation(first)) detail::write_error(first, net::error::timed_out);
    }
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
  ANEW_NO_UNIQUE_ADDRESS std::conditional_t<limits_attempts, attempt_limit_state, no_limit_state> limit_;
  net::cancellation_signal signal_;
  bool passes_signal_ = false;
  bool is_running_ = false;
};

}  // namespace anew::detail

#endif
