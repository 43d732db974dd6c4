// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ASIO_RETRY_CALL_HPP
#define ANEW_ASIO_RETRY_CALL_HPP

#include <memory>
#include <new>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "anew/asio/config.hpp"
#include "anew/asio/handlers.hpp"
#include "anew/asio/read_completion.hpp"
#include "anew/asio/signature.hpp"
#include "anew/asio/timer_source.hpp"
#include "anew/attempt.hpp"
#include "anew/config.hpp"
#include "anew/detail/machine.hpp"

#ifdef ANEW_STANDALONE_ASIO
#include <asio/associated_allocator.hpp>
#include <asio/associated_cancellation_slot.hpp>
#include <asio/cancellation_signal.hpp>
#include <asio/co_spawn.hpp>
#include <asio/dispatch.hpp>
#include <asio/post.hpp>
#include <asio/recycling_allocator.hpp>
#else
#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/recycling_allocator.hpp>
#endif

/// One asynchronous call: its operation, its state and the handler that waits for its end, at one address from the first
/// attempt to the end, in memory of the handler's allocator. The handlers of its attempts and waits are pointers to it;
/// it ends with the last of them, so a context that is destroyed in the middle takes the call with it.
namespace anew::detail {

/// A strategy that is referred to, or one that came as a temporary and is kept.
template <class S>
struct strategy_ref {
  using type = S;
  S const* strategy;
  [[nodiscard]] S const& get() const noexcept { return *strategy; }
};
template <class S>
struct strategy_kept {
  using type = S;
  S strategy;
  [[nodiscard]] S const& get() const noexcept { return strategy; }
};

/// The attempt, for an operation that takes it; it lives until the attempt is over.
template <bool IsTaken>
struct attempt_slot {
  std::optional<attempt> held;
};
template <>
struct attempt_slot<false> {};

/// A time limit of the attempt under way.
struct attempt_limit_state {
  bool is_armed = false;
  bool is_over = false;          ///< the limit came before the attempt's end
  bool attempt_is_done = false;  ///< and waits for the limit's timer to come back
};
struct no_limit_state {};

template <class Strategy, class Op, class Timers, class Handler, class Signature>
class retry_call;

template <class Strategy, class Op, class Timers, class Handler, class... Args>
class retry_call<Strategy, Op, Timers, Handler, void(Args...)> {
 public:
  using S = typename Strategy::type;
  using home_type = home_of<Timers, Handler>;
  using allocator_type = net::associated_allocator_t<Handler, net::recycling_allocator<void>>;
  static constexpr bool knows_executor = home_type::knows_executor;
  static constexpr bool limits_attempts = HasAttemptLimit<S>;
  static constexpr operation_form form = form_of<undeclared_t<Op>>();
  static constexpr bool takes_attempt =
      form == operation_form::initiates_with_attempt || form == operation_form::coroutine_with_attempt;
  static constexpr completion_shape shape = completion_shape_of<Args...>();

  /// Makes a call and begins it.
  template <class StrategyArg, class OpArg>
  static void begin(Handler& handler, Timers&& timers, StrategyArg&& strategy, OpArg&& operation) {
    auto self = make(handler, std::move(timers), std::forward<StrategyArg>(strategy), std::forward<OpArg>(operation));
    auto* const call = self.get();
    call->connect();
    call->follow(std::move(self), call->machine_.begin());
  }

  /// Makes a call whose first attempt is over, and goes on with it. `is_inside`: inside the attempt's initiation.
  ANEW_COLD static void go_on(Handler& handler, Timers&& timers, Strategy&& strategy, Op&& operation, bool is_inside,
                              Args... args) {
    auto self = make(handler, std::move(timers), std::move(strategy), std::move(operation));
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

  /// One of those that refer to the call is gone.
  void drop() noexcept {
    if (--references_ != 0) return;
    auto allocator = rebound(net::get_associated_allocator(handler_, net::recycling_allocator<void>{}));
    this->~retry_call();
    std::allocator_traits<decltype(allocator)>::deallocate(allocator, this, 1);
  }

  [[nodiscard]] allocator_type get_allocator() const noexcept {
    return net::get_associated_allocator(handler_, net::recycling_allocator<void>{});
  }
  [[nodiscard]] auto get_executor() const noexcept { return home_.executor(handler_); }
  [[nodiscard]] net::cancellation_slot get_cancellation_slot() noexcept {
    return passes_signal_ ? signal_.slot() : net::cancellation_slot{};
  }
  template <class Executor>
  void remember(Executor const& executor) {
    home_.remember(executor);
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

  cancel_link<retry_call>* link = nullptr;

 private:
  using arguments = std::tuple<std::decay_t<Args>...>;

  template <class StrategyArg, class OpArg>
  retry_call(Handler& waiting, Timers&& source, StrategyArg&& by, OpArg&& what)
      : handler_{std::move(waiting)},
        home_{std::move(source)},
        strategy_{std::forward<StrategyArg>(by)},
        operation_{std::forward<OpArg>(what)},
        machine_{strategy_.get()} {}

  template <class StrategyArg, class OpArg>
  ANEW_INLINE static call_ref<retry_call> make(Handler& handler, Timers&& timers, StrategyArg&& strategy,
                                               OpArg&& operation) {
    auto allocator = rebound(net::get_associated_allocator(handler, net::recycling_allocator<void>{}));
    using traits = std::allocator_traits<decltype(allocator)>;
    auto* const memory = traits::allocate(allocator, 1);
    undo_allocation<decltype(allocator), retry_call> undo{allocator, memory};
    auto* const call = ::new (static_cast<void*>(memory))
        retry_call(handler, std::move(timers), std::forward<StrategyArg>(strategy), std::forward<OpArg>(operation));
    undo.memory = nullptr;
    return call_ref<retry_call>{call};
  }

  ~retry_call() {
    if (link != nullptr) link->call = nullptr;
  }

  template <class Allocator>
  static auto rebound(Allocator const& allocator) {
    return typename std::allocator_traits<Allocator>::template rebind_alloc<retry_call>{allocator};
  }

  ANEW_INLINE void connect() {
    auto slot = net::get_associated_cancellation_slot(handler_);
    if (slot.is_connected()) {
      passes_signal_ = true;
      slot.template emplace<cancel_link<retry_call>>(this);
    }
  }

  void follow(call_ref<retry_call>&& self, next_step step) {
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
        ++references_;
        call_ref<retry_call> another{this};
        timer().expires_after(larger(told.limit, duration::zero()));
        timer_->async_wait(limit_handler<retry_call>{std::move(another)});
      }
    }
    if (passes_signal_ && machine_.attempts() > 1) signal_.slot().clear();
    is_running_ = true;
    initiation const frame{this};
    auto& operation = detail::undeclared(operation_);
    if constexpr (takes_attempt) {
      told.stop = {this, [](void const* call) { return static_cast<retry_call const*>(call)->machine_.is_stopped(); },
                   false};
      auto& its_attempt = attempt_.held.emplace(told);
      if constexpr (form == operation_form::coroutine_with_attempt) {
        net::co_spawn(get_executor(), operation(its_attempt), attempt_handler<retry_call>{std::move(self)});
      } else {
        operation(its_attempt, handler_type{std::move(self)});
      }
    } else if constexpr (form == operation_form::coroutine) {
      net::co_spawn(get_executor(), operation(), attempt_handler<retry_call>{std::move(self)});
    } else {
      operation(handler_type{std::move(self)});
    }
    // Not a word of this call from here on: it may be over, or go on in another thread.
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
      return deliver(std::move(self), std::move(args)...);
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
    std::apply([&](auto&&... arg) { deliver(std::move(self), std::move(arg)...); }, std::move(args));
  }

  /// The end: the memory is given back before the handler is called, which may begin the next call in it.
  ANEW_INLINE void deliver(call_ref<retry_call>&& self, Args&&... args) {
    if (link != nullptr) net::get_associated_cancellation_slot(handler_).clear();
    auto allocator = rebound(get_allocator());
    Handler handler{std::move(handler_)};
    self.release();
    this->~retry_call();
    std::allocator_traits<decltype(allocator)>::deallocate(allocator, this, 1);
    std::move(handler)(std::move(args)...);
  }

  [[nodiscard]] auto& timer() {
    if (!timer_) timer_.emplace(home_.make_timer(handler_));
    return *timer_;
  }

  Handler handler_;
  ANEW_NO_UNIQUE_ADDRESS home_type home_;
  ANEW_NO_UNIQUE_ADDRESS Strategy strategy_;
  ANEW_NO_UNIQUE_ADDRESS Op operation_;
  machine<S> machine_;
  std::optional<typename home_type::timer_type> timer_;
  std::optional<arguments> last_;
  ANEW_NO_UNIQUE_ADDRESS attempt_slot<takes_attempt> attempt_;
  ANEW_NO_UNIQUE_ADDRESS std::conditional_t<limits_attempts, attempt_limit_state, no_limit_state> limit_;
  net::cancellation_signal signal_;
  unsigned references_ = 1;
  bool passes_signal_ = false;
  bool is_running_ = false;
};

}  // namespace anew::detail

#endif
