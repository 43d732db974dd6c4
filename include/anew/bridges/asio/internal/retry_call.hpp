// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_INTERNAL_RETRY_CALL_HPP
#define ANEW_BRIDGES_ASIO_INTERNAL_RETRY_CALL_HPP

#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/asio/internal/async_call.hpp"
#include "anew/bridges/asio/internal/call_ref.hpp"
#include "anew/bridges/asio/internal/handlers.hpp"
#include "anew/bridges/asio/internal/net.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/internal/machine.hpp"

/// An asynchronous call with one attempt at a time.
namespace anew::inline ANEW_ABI::detail {

/// A call begins on its executor; a stop may come before.
struct call_beginning {
  net::cancellation_type_t stop = net::cancellation_type::none;
  bool is_over = false;
};
struct no_call_beginning {};

template <class Strategy, class Op, class Timers, class Handler, class Signature>
class retry_call : public async_call<retry_call<Strategy, Op, Timers, Handler, Signature>, Strategy, Op, Timers,
                                     Handler, only_place, Signature> {
  using steps = async_call<retry_call, Strategy, Op, Timers, Handler, only_place, Signature>;
  friend steps;
  friend typename steps::block;
  using typename steps::S, typename steps::this_attempt;
  template <auto Function>
  using handler_of = event_handler<Function, retry_call>;

 public:
  /// Makes a call and starts it.
  template <class StrategyArg, class OpArg>
  static void begin(Handler& handler, Timers&& timers, StrategyArg&& strategy, OpArg&& operation) {
    auto self =
        steps::make(handler, std::move(timers), std::forward<StrategyArg>(strategy), std::forward<OpArg>(operation));
    auto* const call = self.get();
    [[maybe_unused]] bool is_connected = false;
    if constexpr (steps::may_cancel) is_connected = call->place_.cancels.is_passed_on = call->connect();
    if constexpr (steps::may_cancel && steps::home_type::knows_executor) {
      // A limit or a stop that came from the call's executor while another thread begins the attempt would be lost.
      if (steps::limits_attempts || is_connected)
        return net::dispatch(handler_of<&retry_call::on_begin>{std::move(self)});
    }
    call->on_begin(std::move(self));
  }
  void on_begin(call_ref<retry_call> self) {
    if constexpr (has_a_slot<Handler>) {
      beginning_.is_over = true;
      if (beginning_.stop != net::cancellation_type::none) [[unlikely]]
        return begin_stopped(std::move(self));
    }
    auto const step = machine_.begin();
    follow(std::move(self), step);
  }

  /// Makes a call whose first attempt is over, and continues it. `is_inside`: inside the attempt's initiation.
  template <class... Args>
  ANEW_COLD static void go_on(Handler& handler, Timers&& timers, Strategy&& strategy, Op&& operation, bool is_inside,
                              Args... args) {
    auto self = steps::make(handler, std::move(timers), std::move(strategy), std::move(operation));
    auto* const call = self.get();
    if (call->machine_.begin() != next_step::attempt) return;  // a strategy that asks nothing before a first attempt
    if (!is_inside) return call->judge(std::move(self), {}, std::move(args)...);
    call->keep({}, std::move(args)...);
    call->post(arrived_handler<this_attempt>{this_attempt{self.release()}});
  }

  void on_wait(call_ref<retry_call> self, bool was_cancelled) {
    if (!was_cancelled && !machine_.is_stopped()) {
      auto const step = machine_.on_wait_over();
      if (step == next_step::attempt) this->last_.reset();
      return follow(std::move(self), step);
    }
    machine_.request_stop();  // for what cancelled the timer from outside the call, such as a timer source that closes
    this->write_aborted();
    this->finish(std::move(self));
  }

  /// A request from the handler's cancellation slot.
  ANEW_COLD void cancel(net::cancellation_type_t type) {
    if (type == net::cancellation_type::none) return;
    if (!beginning_.is_over) {
      beginning_.stop = type;
      return;
    }
    if (machine_.request_stop() != next_step::attempt) return this->timer_.cancel();
    if (!place_.is_running) return;
    auto* const inside = initiation_of_call::of(this);
    if (inside != nullptr && !place_.cancels.signal.slot().has_handler()) return inside->keep(this->another(), type);
    auto const self = this->another();
    this->emit({}, type);
  }

 private:
  template <class StrategyArg, class OpArg>
  ANEW_INLINE retry_call(Handler& waiting, Timers&& source, StrategyArg&& by, OpArg&& what)
      : steps{waiting, std::move(source), std::forward<OpArg>(what)},
        strategy_{std::forward<StrategyArg>(by)},
        // NOLINTNEXTLINE(bugprone-use-after-move): a strategy that was moved is not read
        machine_{strategy_.get(by), detail::operation_name_of(this->operation_)} {}
  ~retry_call() = default;

  [[nodiscard]] ANEW_INLINE auto& place_at(only_place /*at*/) noexcept { return place_; }
  [[nodiscard]] ANEW_INLINE auto& kept_at(only_place /*at*/) noexcept { return this->last_; }
  [[nodiscard]] ANEW_INLINE auto& limit_timer(only_place /*at*/) noexcept { return this->timer_; }

  /// The caller asked for a stop before the call could begin. Where nothing but a result can say so, an attempt is made.
  ANEW_COLD void begin_stopped(call_ref<retry_call> self) {
    if constexpr (steps::makes_refusals) {
      machine_.request_stop();
      follow(std::move(self), next_step::finished);
    } else {
      auto const alive = this->another();
      follow(std::move(self), machine_.begin());
      if (!machine_.is_finished()) cancel(beginning_.stop);
    }
  }

  /// The call ends and refunds at once what it holds; its memory stays until the operation's function has returned.
  void lose(call_ref<retry_call> const& /*last*/, only_place /*at*/) noexcept { machine_.abandon(); }

  ANEW_INLINE void follow(call_ref<retry_call>&& self, next_step step) {
    switch (step) {
      case next_step::attempt: return this->make_attempt(std::move(self), {});
      case next_step::wait: return this->wait(machine_.wait(), handler_of<&retry_call::on_wait>{std::move(self)});
      case next_step::finished: break;
    }
    if (machine_.attempts() != 0) return this->finish(std::move(self));
    this->post(handler_of<&retry_call::finish>{std::move(self)});  // never inside the function that begins the call
  }

  template <class... Args>
  ANEW_INLINE void judge(call_ref<retry_call>&& self, only_place /*at*/, Args&&... args) {
    bool const is_over = this->read(this->operation_, place_.limit.is_over, args...) == next_step::finished;
    bool const is_outside = is_over && !initiation::is_under_way(this);
    if constexpr (KeepsOutcome<S>) {
      if (is_outside) return this->finish(std::move(self));
    } else {
      if (is_outside) [[likely]]
        return this->deliver(std::move(self), std::move(args)...);
      this->last_.emplace(std::move(args)...);
    }
    if (is_over) return this->post(handler_of<&retry_call::finish>{std::move(self)});
    this->wait(machine_.wait(), handler_of<&retry_call::on_wait>{std::move(self)});
  }

  ANEW_NO_UNIQUE_ADDRESS stored_strategy<Strategy> strategy_;
  machine<S> machine_;
  ANEW_NO_UNIQUE_ADDRESS typename steps::place_type place_;
  ANEW_NO_UNIQUE_ADDRESS std::conditional_t<has_a_slot<Handler>, call_beginning, no_call_beginning> beginning_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
