// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_CALL_ENGINE_HPP
#define ANEW_DRIVERS_CALL_ENGINE_HPP

#include <cstdint>
#include <exception>
#include <type_traits>
#include <utility>

#include "anew/base/attempt.hpp"
#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/internal/decide.hpp"
#include "anew/drivers/internal/empty_operation.hpp"
#include "anew/drivers/internal/guarded.hpp"
#include "anew/drivers/internal/last_failure.hpp"
#include "anew/drivers/internal/machine.hpp"
#include "anew/drivers/internal/result_slot.hpp"
#include "anew/drivers/internal/stop.hpp"
#include "anew/drivers/next_step.hpp"
#include "anew/roles/attempt_timeout.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/operation.hpp"
#include "anew/roles/retry_strategy.hpp"
#include "anew/roles/sleeper.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

struct no_attempt {};

}  // namespace detail

/// One call with its operation, for authors of drivers: senders, fibres, a game's loop. The engine decides what happens
/// next; the driver starts attempts, waits, and reports how each attempt ended.
///
///     anew::call_engine call{strategy, operation};
///     auto step = call.begin();
///     // next_step::attempt:  begin call.start(); when that is over: step = call.on_outcome(result)
///     // next_step::wait:     wait for call.wait(); then: step = call.on_wait_over()
///     // next_step::finished: deliver the last result; call.attempts() == 0 means that there is no result
///
/// The engine obeys what the operation declares: `idempotent`, `one_shot`, `throws_only`, `rewinding` (which is called
/// once before each retry). The engine refers to the strategy, which must outlive it; it holds the operation (or a
/// reference to it, as `call_engine<S, Op&>`) and the `attempt&` that the operation takes. The call, and its deadline,
/// begins with the constructor. A quota's permit, a gate's pass and a pacer's ticket are returned when the call ends,
/// or when the engine is destroyed before that.
///
/// The engine keeps no result. The call's result is the last one, so keep a failed result until the next attempt begins
/// if the call may end before: if `may_end_in_wait`, or if your driver can be stopped in a wait.
///
/// Requires: the functions in the order that the steps ask for: `begin()` once; `start()` once after each
/// `next_step::attempt`, and then one of the functions that report its outcome; `on_wait_over()` after each
/// `next_step::wait`. While an attempt is under way only `request_stop()` may be called. After `next_step::finished` a
/// timer of a wait or of an attempt may still fire and a stop may still come: both stay without effect. Not for two
/// threads at a time: carry a stop from another thread to the thread, or the strand, of the call.
/// Throws: what a classifier, an observer or a rewinding throws; the call is over then, and has no reason. Nothing else.
/// Cost: 32 bytes, the token and the operation; 56 with a token_bucket; 8 more with a gate or a pacer; 80 more where the
/// operation takes its attempt. Nothing from the heap. Each function costs what it costs in `retry()`.
/// Choose it to add retries to an asynchronous library. Not where a driver exists (retry, async_retry, co_await
/// anew::retry, retry_sender, curl::multi_retry). Without an operation object: retry_machine.
/// Example: examples/41_a_game_loop.cpp
template <class S, class Op>
class call_engine {
  static constexpr bool is_sound = detail::explain_call<detail::caller::machine, S, std::remove_reference_t<Op>>();
  using declared_type = std::remove_reference_t<Op>;

 public:
  using strategy_type = S;
  /// The return type of the operation, and of `start()`: a sender, a future, a handle, or the result itself.
  using result_type = typename detail::inert_result<Op>::type;

  /// True where the call may end after a wait with no further attempt: a gate or a pacer refuses, or the wait is the last
  /// one of a `long_poll`. Then keep the last failure until the next attempt begins.
  static constexpr bool may_end_in_wait = detail::EndsBetweenAttempts<S>;
  /// True where an attempt timeout is composed: end each attempt after `attempt_timeout()`.
  static constexpr bool limits_attempts = detail::HasAttemptTimeout<S>;

  /// Throws: `std::invalid_argument` for an empty operation, such as a default `std::function`.
  call_engine(S const& by, Op what)
      : machine_{by, detail::operation_name_of(what)}, operation_(std::forward<Op>(what)) {
    detail::require_operation(operation_, "call_engine");
  }
  // Compilers print the line of a deleted function, and with it the comment on that line.
  call_engine(S const&& gone, Op what)  // anew: it refers to a strategy that you keep
      = delete;
  call_engine(call_engine const&) = delete;
  call_engine& operator=(call_engine const&) = delete;
  ~call_engine() = default;

  /// Returns `attempt`; `wait` where a gate or a pacer delays the attempt; `finished` where one of them refuses, or
  /// after a stop. Then `attempts()` is 0, `reason()` says why, and you deliver `refused_result<R>` (see
  /// refused_result.hpp) or `call_refused{reason()}`.
  [[nodiscard]] ANEW_INLINE next_step begin() { return machine_.begin(); }

  /// Calls the operation, with its attempt where it takes one, and returns what the operation returns.
  /// `attempt::stop_requested()` asks `stop`. The attempt lives in the engine until the next `start()`. An exception of
  /// the operation propagates: it is an outcome; pass it to `on_exception()`.
  decltype(auto) start([[maybe_unused]] stop_view stop = {}) {
    if constexpr (is_sound && TakesAttempt<Op>) {
      auto parts = current();
      parts.stop = stop;
      return operation_(attempt_.emplace_from([&] { return attempt{parts}; }));
    } else {
      return call_operation();
    }
  }
  /// The same with an attempt that you made from `current()`, for a driver that reads the attempt's limit before it
  /// calls the operation.
  decltype(auto) start([[maybe_unused]] attempt& self) {
    if constexpr (is_sound && TakesAttempt<Op>) {
      return operation_(self);
    } else {
      return call_operation();
    }
  }
  /// The same with a stop token, which must outlive the attempt.
  decltype(auto) start(StopToken auto const& stop) { return start(detail::view_of(stop)); }
  void start(StopToken auto const&& gone)  // anew: the attempt refers to a stop token that you keep
      = delete;

  /// The result of an attempt, read as `retry()` reads one (anew/base/result_traits.hpp), plain values by the
  /// classifier. Returns `finished` after a success and after the last failure; else `wait`.
  template <class R>
  [[nodiscard]] next_step on_outcome(R const& result) {
    if constexpr (is_sound) {
      using returned = detail::operation_returning<declared_type, R>;
      if constexpr (detail::explain_result<detail::caller::outcome, S, returned>()) {
        return machine_.on_outcome(operation_, result);
      }
    }
    return next_step::finished;
  }
  /// The attempt failed with this error; the strategy's classifier reads it. Returns `wait` or `finished`.
  template <class E>
  [[nodiscard]] next_step on_error(E const& error) {
    if constexpr (is_sound) {
      if constexpr (detail::explain_machine_error<S, E>()) return machine_.on_error(operation_, error);
    }
    return next_step::finished;
  }
#if ANEW_EXCEPTIONS
  /// The attempt threw `exception`, which must not be null; it is read as `retry()` reads an exception. Returns `wait`
  /// or `finished`.
  [[nodiscard]] next_step on_exception(std::exception_ptr const& thrown) {
    return machine_.on_exception(operation_, thrown);
  }
#endif
  /// The attempt ended, and you classified its outcome yourself. Returns `wait` or `finished`.
  [[nodiscard]] next_step on_verdict(directive const& verdict) { return machine_.on_verdict(operation_, verdict); }
  /// The same with the error or the result that you classified, for an observer that hears errors.
  [[nodiscard]] next_step on_verdict(directive const& verdict, auto const& error) {
    return machine_.on_verdict(operation_, verdict, error);
  }
  /// The attempt succeeded. Returns `finished`.
  ANEW_INLINE next_step on_success() { return machine_.on_success(); }
  /// You ended the attempt because it passed `attempt_timeout()`: a classifier that reads error codes gets
  /// `std::errc::timed_out`, any other strategy a time-out that may have taken effect. Returns `wait` or `finished`.
  [[nodiscard]] next_step on_attempt_timeout() { return machine_.on_attempt_timeout(operation_); }
  /// The same for an attempt that returned `result` after you ended it: a success counts, any other result is a time-out.
  /// Deliver `timed_out_result<R>::make(result)` unless the call has succeeded.
  template <class R>
  [[nodiscard]] next_step on_attempt_timeout(R const& result) {
    if constexpr (is_sound) {
      if constexpr (detail::explain_result<detail::caller::outcome, S, detail::operation_returning<declared_type, R>>())
        return machine_.template on_late_outcome<declared_type>(operation_, result);
    }
    return next_step::finished;
  }
  /// The attempt was cancelled and has no outcome. Returns `finished`; the reason is `cancelled`.
  next_step on_cancelled() { return machine_.on_cancelled(); }

  /// The wait is over, by whichever clock you waited. Returns `attempt`; `wait` where a gate or a pacer delays the
  /// attempt; `finished` where one of them refuses, and after a last wait: then the last failure is the call's result.
  [[nodiscard]] next_step on_wait_over() { return machine_.on_wait_over(); }

  /// Stops the call: no further attempt begins, nor a first one. Returns `attempt` while one is under way: end that
  /// attempt, and report its outcome; a failure then ends the call with `cancelled`, a success is a success. Else
  /// returns `finished`: end your wait, and deliver the last failure.
  [[nodiscard]] next_step request_stop() { return machine_.request_stop(); }
  /// True after a `request_stop()` that came before the end.
  [[nodiscard]] bool is_stopped() const noexcept { return machine_.is_stopped(); }

  /// How long to wait. A wait of zero needs no timer. Valid after `next_step::wait`.
  [[nodiscard]] duration wait() const noexcept { return machine_.wait(); }
  /// The end of `wait()`, by the strategy's clock, counted from now.
  [[nodiscard]] time_point wait_ends_at() const { return machine_.wait_ends_at(); }

  /// The parts of the attempt to make, for a driver that makes the attempt itself:
  /// `anew::attempt self{call.current()};`. After `next_step::attempt`. Set `parts::stop` so that the operation can ask
  /// whether to stop.
  [[nodiscard]] attempt::parts current() const {
    auto parts = machine_.current();
    parts.is_rewound = detail::IsRewound<declared_type>;
    return parts;
  }
  /// How long the current attempt may take, counted from now: the composed attempt timeout, or the remaining deadline
  /// if that is shorter; `duration::max()` without an attempt timeout. After `next_step::attempt`.
  [[nodiscard]] duration attempt_timeout() const { return machine_.attempt_timeout(); }

  [[nodiscard]] declared_type& operation() noexcept { return operation_; }
  /// Why the call ended, once it has. `cancelled` before that.
  [[nodiscard]] stop_reason reason() const noexcept { return machine_.reason(); }
  /// How many attempts have begun.
  [[nodiscard]] std::uint32_t attempts() const noexcept { return machine_.attempts(); }

 protected:
  // Once begun, an attempt may refer to the engine. Only an engine without an attempt is moved.
  call_engine(call_engine&&) = default;
  call_engine& operator=(call_engine&&) = default;

 private:
  decltype(auto) call_operation() {
    if constexpr (is_sound) {
      return operation_();
    } else {
      return detail::inert<result_type>();
    }
  }

  using room = std::conditional_t<TakesAttempt<Op>, detail::result_slot<attempt>, detail::no_attempt>;

  typename detail::machine_if<S, is_sound>::type machine_;
  ANEW_NO_UNIQUE_ADDRESS Op operation_;
  ANEW_NO_UNIQUE_ADDRESS room attempt_;
};

template <class S, class Op>
call_engine(S const&, Op) -> call_engine<S, Op>;

/// Runs `attempt()` between the catch clauses of the strategy's classifier, for a driver that blocks its thread or fibre.
///
///     bool const returned = anew::catch_for<S>(
///         [&] { return result.emplace(call.start()), true; },
///         [&](auto const&) { return (step = call.on_exception(std::current_exception())) != next_step::finished; },
///         [] { return false; });
///     if (returned) step = call.on_outcome(*result);
///
/// `failed(error)` is called with the exception as the first type of the classifier's `catches` that fits, and with
/// `unknown_exception` where none fits. It returns false to let the exception propagate unchanged, and true to swallow
/// it: then `after()` runs once the exception is destroyed, and its result is returned.
///
/// Returns: what `attempt()` or `after()` returns. Throws: what `attempt()` threw, where `failed` returns false; what
/// `failed` and `after` throw. An exception that is not a C++ exception (a thread's cancellation) always propagates.
/// Requires: `attempt` reports nothing to the strategy, for an exception of a classifier is not an outcome of the
/// attempt.
/// Cost: none for an attempt that returns. Without exceptions `failed` and `after` are not called.
/// Choose it where your driver must let the last exception propagate as it was thrown. Not where attempts end in
/// callbacks: pass the `std::exception_ptr` to `call_engine::on_exception`.
template <RetryStrategy S, class Attempt, class Failed, class After>
ANEW_INLINE auto catch_for(Attempt&& attempt, Failed&& failed, After&& after) -> decltype(attempt()) {
  return detail::guarded<typename detail::catches_of<detail::classifier_type_of<S>>::type>(
      std::forward<Attempt>(attempt), std::forward<Failed>(failed), std::forward<After>(after));
}

}  // namespace anew::inline ANEW_ABI

#endif
