// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_INTERNAL_ASYNC_CALL_HPP
#define ANEW_BRIDGES_ASIO_INTERNAL_ASYNC_CALL_HPP

#include <atomic>
#include <new>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "anew/base/attempt.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/asio/initiates.hpp"
#include "anew/bridges/asio/internal/call_block.hpp"
#include "anew/bridges/asio/internal/call_ref.hpp"
#include "anew/bridges/asio/internal/handlers.hpp"
#include "anew/bridges/asio/internal/net.hpp"
#include "anew/bridges/asio/internal/read_completion.hpp"
#include "anew/drivers/internal/empty_operation.hpp"

/// The state of an attempt under way, in its call. Parts that the call cannot use are empty.
namespace anew::inline ANEW_ABI::detail {

/// The attempt, for an operation that takes it, lives until the attempt is over.
static_assert(std::is_trivially_destructible_v<attempt>);
struct untold_attempt {};

/// How an attempt is cancelled, if anything can cancel it: the caller's slot, a timeout, or another attempt that won.
struct attempt_signal {
  net::cancellation_signal signal;
  bool is_passed_on = false;
};
struct no_attempt_signal {};

/// For an attempt that nothing can cancel.
struct no_running_flag {
  explicit no_running_flag(bool /*is_running*/) noexcept {}
  no_running_flag& operator=(bool /*is_running*/) noexcept { return *this; }
};

/// A time limit of an attempt under way.
template <class Call>
struct attempt_timeout_state {
  timer_wait_of<Call> wait;
  bool is_over = false;  ///< the limit came before the attempt's end
};
struct no_limit_state {
  static constexpr bool is_over = false;
};

template <class Call, bool TakesAttempt, bool IsLimited, bool MayCancel, bool IsForeign>
struct attempt_place {
  ANEW_INLINE attempt_place() noexcept : is_running{false} {}

  ANEW_NO_UNIQUE_ADDRESS std::conditional_t<TakesAttempt, room_for<attempt>, untold_attempt> told;
  ANEW_NO_UNIQUE_ADDRESS std::conditional_t<IsLimited, attempt_timeout_state<Call>, no_limit_state> limit;
  ANEW_NO_UNIQUE_ADDRESS std::conditional_t<MayCancel, attempt_signal, no_attempt_signal> cancels;
  /// Whether its operation has not completed, so that its slot may be emitted. A callback API completes in any thread,
  /// and may then leave a dangling handler in the slot.
  ANEW_NO_UNIQUE_ADDRESS
  // NOLINTNEXTLINE(modernize-use-default-member-init): a member that may be empty has no initialiser of its own
  std::conditional_t<IsForeign, std::atomic<bool>, std::conditional_t<MayCancel, bool, no_running_flag>> is_running;
};

/// The steps of an asynchronous call, whether it makes one attempt at a time or several: an attempt begins, is limited
/// and cancelled, completes or goes away, and the call waits and ends.
template <operation_form Form>
inline constexpr bool is_told_of_attempt =
    Form == operation_form::initiates_with_attempt || Form == operation_form::coroutine_with_attempt;

/// A strategy or a hedging: `S const&`, or a temporary that is stored.
template <class S>
struct held_strategy {
  using type = std::remove_cvref_t<S>;
  S strategy;
  [[nodiscard]] type const& get() const noexcept { return strategy; }
};
/// The part of it that a call stores: a reference is in its machine.
template <class Held>
struct stored_strategy {
  Held held;
  [[nodiscard]] auto const& get(Held const& /*passed*/) const noexcept { return held.get(); }
};
template <class S>
struct stored_strategy<held_strategy<S const&>> {
  explicit stored_strategy(held_strategy<S const&> const& /*passed*/) noexcept {}
  [[nodiscard]] static S const& get(held_strategy<S const&> const& passed) noexcept { return passed.get(); }
};

/// `Call` derives from it, and owns the machine, which it calls `machine_`, and the places of its attempts. `Place` is
/// their index: `only_place` is empty.
template <class Call, class Strategy, class Op, class Timers, class Handler, class Place, class Signature>
class async_call;

template <class Call, class Strategy, class Op, class Timers, class Handler, class Place, class... Args>
class async_call<Call, Strategy, Op, Timers, Handler, Place, void(Args...)> : public call_block<Call, Timers, Handler> {
 public:
  using block = call_block<Call, Timers, Handler>;
  using S = typename Strategy::type;
  using typename block::home_type;
  using this_attempt = call_ref<Call, Place>;
  static constexpr operation_form form = form_of<undeclared_t<Op>>();
  static constexpr completion_shape shape = completion_shape_of<Args...>();
  static constexpr bool takes_attempt = is_told_of_attempt<form>;
  static constexpr bool is_foreign = SaysItsSignature<undeclared_t<Op>>;
  static constexpr bool limits_attempts = HasAttemptTimeout<S>;
  static constexpr bool makes_refusals = KeepsOutcome<S> || makes_refused_arguments<Args...>;
  static constexpr bool has_several = !std::is_same_v<Place, only_place>;
  static constexpr bool may_cancel = has_several || limits_attempts || has_a_slot<Handler>;

  async_call(async_call const&) = delete;
  async_call& operator=(async_call const&) = delete;

  [[nodiscard]] ANEW_INLINE net::cancellation_slot slot_of(Place at) noexcept {
    if constexpr (may_cancel) {
      if (auto& cancels = here(at).cancels; cancels.is_passed_on) return cancels.signal.slot();
    }
    return {};
  }
  void remember(auto const& executor) { this->home_.remember(executor); }

  /// The attempt is over.
  ANEW_INLINE void on_attempt(this_attempt&& now, Args... args) {
    auto const at = now.place();
    on_over(at);
    if constexpr (has_several) {
      if (initiation::is_under_way(this)) {  // what the machine asks for now would be done inside that function
        keep(at, std::move(args)...);
        return post(arrived_handler<this_attempt>{std::move(now)});
      }
    }
    disarm(at);
    derived()->judge(now.take(), at, std::move(args)...);
  }
  /// The attempt is over, reported from any thread: the handler that its operation left in the slot is not called any
  /// more.
  ANEW_INLINE void on_over(Place at) noexcept { here(at).is_running = false; }
  void keep(Place at, Args... args) { derived()->kept_at(at).emplace(std::move(args)...); }
  /// The completion that was kept, unless the attempt went away.
  void on_arrived(this_attempt now) {
    auto const at = now.place();
    if (!derived()->kept_at(at)) return;
    unpack(derived()->kept_at(at), [&](auto&&... arg) { on_attempt(std::move(now), std::move(arg)...); });
  }

  /// The attempt's timeout expired, or was cancelled by code outside the call.
  void on_limit(call_ref<Call> self, Place at, bool was_cancelled) {  // NOLINT(*-unnecessary-value-param): handed on
    if (!was_cancelled && here(at).is_running) {  // else a timer source that closes, or the attempt is gone
      here(at).limit.is_over = !wants_no_more();  // what the caller cancelled is not late
      emit(at, net::cancellation_type::terminal);
    }
    if constexpr (has_several) derived()->settle(std::move(self), false);
  }

  /// The attempt went away without completing: its initiating function threw, or its handler was destroyed uncalled.
  ANEW_COLD void on_gone(Place at) noexcept {
    call_ref<Call> last{derived()};
    on_over(at);
    disarm(at);
    derived()->lose(std::move(last), at);
  }
  /// The last reference is gone: true if a function of its operation is on the stack, which then keeps the call alive.
  [[nodiscard]] bool stays() noexcept {
    auto* const inside = initiation_of_call::of(this);
    return inside != nullptr && inside->keep(derived());
  }
  /// A function of the operation has returned, during which the attempt went away or could not be told of a stop.
  ANEW_COLD void on_left(call_ref<Call>&& self, net::cancellation_type_t stop) {
    [[maybe_unused]] auto const last = std::move(self);
    if constexpr (!has_several && may_cancel) {
      if (stop != net::cancellation_type::none) emit({}, stop);
    }
  }

  /// The end of a call that does not complete with the attempt that came last.
  void finish(call_ref<Call> self) {
    if constexpr (KeepsOutcome<S>) {
      auto given = derived()->machine_.strategy().complete(derived()->machine_);
      std::apply([&](auto&... arg) { this->deliver(std::move(self), std::move(arg)...); }, given);
    } else {
      if constexpr (makes_refusals) {
        if (!last_) last_.emplace(detail::refused_arguments<Args...>(derived()->machine_.reason()));
      }
      if (!last_) return;
      unpack(last_, [&](auto&&... arg) { this->deliver(std::move(self), std::move(arg)...); });
    }
  }

 protected:
  using arguments = std::tuple<std::decay_t<Args>...>;
  using place_type = attempt_place<Call, takes_attempt, limits_attempts, may_cancel, is_foreign>;
  template <class OpArg>
  ANEW_INLINE async_call(Handler& waiting, Timers&& source, OpArg&& what)
      : block{waiting, std::move(source)}, operation_{std::forward<OpArg>(what)} {}
  ~async_call() = default;

  ANEW_INLINE void make_attempt(call_ref<Call>&& self, Place at) {
    this_attempt now{self.release(), at};  // whatever throws from here on: the attempt is gone
    auto& place = here(at);
    auto const& machine = derived()->machine_;
    [[maybe_unused]] attempt::parts told{};
    if constexpr (takes_attempt || limits_attempts) told = machine.current();
    told.is_rewound = IsRewound<Op>;
    if constexpr (limits_attempts) {
      place.limit.is_over = false;
      if (told.limit != duration::max()) {
        place.cancels.is_passed_on = true;
        arm(derived()->limit_timer(at), larger(told.limit, duration::zero()),
            timer_handler<&Call::on_limit, Call, Place>{this->another(), place.limit.wait, at});
      }
    }
    if constexpr (may_cancel) {
      // An operation may leave in its slot what refers to things that are gone.
      if (place.cancels.is_passed_on && machine.attempts() > 1) place.cancels.signal.slot().clear();
      place.is_running = true;
    }
    initiation_of_call frame{this};
    if constexpr (takes_attempt) {
      told.stop = {this, [](void const* call) { return static_cast<async_call const*>(call)->wants_no_more(); }, false};
    }
    using handler = std::conditional_t<is_foreign, foreign_handler<this_attempt>, attempt_handler<this_attempt>>;
    auto& operation = detail::undeclared(operation_);
    // Do not touch the call after that: it may be over, or continue in another thread.
    if constexpr (form == operation_form::coroutine_with_attempt) {
      net::co_spawn(this->get_executor(), operation(place.told.make(told)), handler{std::move(now)});
    } else if constexpr (form == operation_form::coroutine) {
      net::co_spawn(this->get_executor(), operation(), handler{std::move(now)});
    } else if constexpr (takes_attempt) {
      operation(place.told.make(told), handler{std::move(now)});
    } else {
      operation(handler{std::move(now)});
    }
  }

  /// Reports a completion to the machine.
  ANEW_INLINE auto read(auto& which, [[maybe_unused]] bool is_late, Args&... args) {
    auto& machine = derived()->machine_;
    auto const step = detail::read_completion<Op>(machine, which, is_late, args...);
    if constexpr (limits_attempts && !KeepsOutcome<S>) {
      if (is_late && !machine.is_stopped()) detail::write_late(machine.reason(), args...);
    }
    return step;
  }

  /// Requires a reference to the call.
  void emit(Place at, net::cancellation_type_t type) {
    if (!here(at).is_running) return;  // a finished operation may leave a dangling handler in the slot
    initiation_of_call frame{this};
    here(at).cancels.signal.emit(type);
  }
  /// Requires another reference to the call.
  ANEW_INLINE void disarm([[maybe_unused]] Place at) {
    if constexpr (limits_attempts) {
      if (!here(at).limit.wait.is_pending()) return;
      here(at).limit.wait.let_go();
      derived()->limit_timer(at).forget();
    }
  }
  [[nodiscard]] bool wants_no_more() const noexcept {
    auto const& machine = static_cast<Call const*>(this)->machine_;
    return machine.is_stopped() || machine.is_finished();
  }
  /// The call ends in a wait.
  void write_aborted() {
    if (last_) detail::write_error_of_first(*last_, net::error::operation_aborted);
  }

  void arm(auto& timer, duration after, auto handler) {
    auto& made = timer.get(this->home_, this->handler_);
    made.expires_after(after);
    made.async_wait(std::move(handler));
  }
  void wait(duration after, auto handler) {
    if (after <= duration::zero()) return post(std::move(handler));
    arm(timer_, after, std::move(handler));
  }
  void post(auto handler) {
    if constexpr (!home_type::knows_executor) this->home_.require();
    net::post(std::move(handler));
  }

  ANEW_NO_UNIQUE_ADDRESS Op operation_;
  lazy_timer<typename home_type::timer_type> timer_;
  std::optional<arguments> last_;  ///< of the attempt that failed last, or what the call ends with

 private:
  static void unpack(std::optional<arguments>& kept, auto&& then) {
    auto args = std::move(*kept);
    kept.reset();
    std::apply(then, std::move(args));
  }
  [[nodiscard]] Call* derived() noexcept { return static_cast<Call*>(this); }
  [[nodiscard]] ANEW_INLINE auto& here(Place at) noexcept { return derived()->place_at(at); }
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
