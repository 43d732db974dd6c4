// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_INTERNAL_HEDGE_CALL_HPP
#define ANEW_BRIDGES_ASIO_INTERNAL_HEDGE_CALL_HPP

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/asio/internal/async_call.hpp"
#include "anew/bridges/asio/internal/call_ref.hpp"
#include "anew/bridges/asio/internal/net.hpp"
#include "anew/bridges/asio/internal/read_completion.hpp"
#include "anew/bridges/asio/internal/timer_handler.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/hedge/hedging.hpp"
#include "anew/drivers/hedge/internal/engine.hpp"

/// An asynchronous call with several attempts in flight. It ends when the machine says so and its last attempt has come
/// back: the losers are cancelled, but they use the caller's objects.
namespace anew::inline ANEW_ABI::detail {

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

  /// A wait of no time is over, which is posted.
  void on_due(call_ref<hedge_call> self, std::uint32_t generation) {
    if (generation == generation_) return on_timer(std::move(self), false);
    settle(std::move(self), false);
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
        // Each is in its place, or is still where the caller has it.
        machine_{strategy_.get(by), hedging_.get(hedging), detail::operation_name_of(this->operation_)} {
  }  // NOLINT(bugprone-use-after-move)
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
  template <class Step>
  void go_on(call_ref<hedge_call> self, bool is_outside, Step step) {
    struct guard {
      explicit guard(hedge_call* of) noexcept : call{of} {}
      guard(guard const&) = delete;
      guard& operator=(guard const&) = delete;
      ~guard() {
        if (call != nullptr) call->abandon();
      }
      hedge_call* call;
    } unless_done{is_broken_ ? nullptr : this};
    if (!is_broken_) step();
    unless_done.call = nullptr;
    settle(std::move(self), is_outside);
  }

  /// Does the machine's next step.
  void perform(hedge_step const& step) {
    if (step.timer != hedge_timer::keep || step.finished) unset_timer();
    if (step.timer == hedge_timer::set) set_timer(step.after);
    if (step.start != 0) start(step.start);
    if (step.finished) cancel_all(net::cancellation_type::terminal);
  }
  void set_timer(duration after) {
    if (after <= duration::zero())
      return this->post(event_handler<&hedge_call::on_due, hedge_call, std::uint32_t>{this->another(), generation_});
    this->arm(this->timer_, after, timer_handler<&hedge_call::on_timer, hedge_call>{this->another(), wait_});
  }
  void unset_timer() {
    ++generation_;
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
    if (machine_.is_stopped())
      this->emit(at, stop_type_);  // a stop inside its own initiating function could not reach it
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
  timer_wait_of<hedge_call> wait_;  ///< of the timer
  std::uint32_t generation_ = 0;    ///< of the wait
  net::cancellation_type_t stop_type_ = net::cancellation_type::none;
  bool has_begun_ = false;
  bool is_broken_ = false;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
