// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_HEDGE_HEDGE_MACHINE_HPP
#define ANEW_DRIVERS_HEDGE_HEDGE_MACHINE_HPP

#include <concepts>
#include <cstdint>
#include <exception>
#include <type_traits>

#include "anew/base/attempt.hpp"
#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/internal/immovable.hpp"
#include "anew/base/internal/inner.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/drivers/hedge/hedging.hpp"
#include "anew/drivers/hedge/internal/engine.hpp"
#include "anew/drivers/internal/machine.hpp"
#include "anew/drivers/retry_machine.hpp"
#include "anew/strategy/basic_token.hpp"
#include "anew/strategy/strategy.hpp"

/// Explains a mistake in a `hedge_machine` in one sentence, before anything is computed from it.
namespace anew::inline ANEW_ABI {

namespace detail {

template <class S>
inline constexpr bool is_composed_of_policies =
    requires { requires std::is_same_v<typename S::token_type, basic_token<S>>; };

template <class S>
inline constexpr bool may_have_several_attempts = !HasNesting<S> && !requires { requires S::has_reset; };

template <class H>
inline constexpr bool models_hedging = Hedging<H>;

template <declared Declared>
inline constexpr bool is_declared_idempotent = Declared == declared::idempotent;

template <class H>
consteval bool explain_hedging() {
  if constexpr (IsMarkedUnsound<H>) {
    H::explain();
    return false;
  } else {
    static_assert(models_hedging<H>,
                  "anew::hedge_machine and anew::async_hedge require a Hedging after the strategy; this type is not a "
                  "Hedging. Pass "
                  "anew::hedge_after<10ms>{}, or an anew::hedge_at_quantile that all calls share");
    return models_hedging<H>;
  }
}

template <class S, class H, declared Declared>
consteval bool explain_hedge_machine() {
  if constexpr (std::same_as<S, ill_formed_strategy>) {
    return false;  // explained where it was composed
  } else if constexpr (!is_composed_of_policies<S>) {
    static_assert(is_composed_of_policies<S>,
                  "anew::hedge_machine{strategy, ...} requires an anew::strategy<...>; with several attempts in flight "
                  "it must know what each of them paid, and the functions of a RetryStrategy do not say that. Compose "
                  "one, or use anew::retry_machine");
  } else if constexpr (!may_have_several_attempts<S>) {
    static_assert(may_have_several_attempts<S>,
                  "anew::hedge_machine{strategy, ...} requires a strategy without nesting_guard and reset_after; both "
                  "expect one attempt at a time. Remove them");
  } else if constexpr (!is_declared_idempotent<Declared>) {
    static_assert(
        is_declared_idempotent<Declared>,
        "anew::hedge_machine{strategy, hedging, declaration} requires anew::idempotent_call; the server may get the "
        "request twice at the same time. Pass anew::idempotent_call if it may, or use anew::retry_machine");
  } else {
    return explain_hedging<H>();
  }
  return false;
}

/// The Hedging after a mistake was explained, so that nothing else is reported.
template <class S, class H, bool IsSound>
struct hedge_engine_if : std::type_identity<hedge_engine<S, H>> {};
template <class S, class H>
struct hedge_engine_if<S, H, false> : std::type_identity<inert_machine<hedge_engine<never, hedge_at_once<0>>>> {};

}  // namespace detail

/// One call with several attempts under way, as a state machine: what `retry_machine` is for one attempt at a time. The
/// first answer wins; the strategy decides of each attempt as it does of a retry, and `hedging` says when the next one
/// is due. It waits for nothing, allocates nothing and never calls the operation.
///
///     anew::hedge_machine call{strategy, hedging, anew::idempotent_call};
///     auto step = call.begin();
///     // step.start != 0:   start that attempt; when it is done: step = call.on_outcome(step.start, result)
///     // step.timer:        set the one timer to step.after, or cancel it; when it fires: step = call.on_time()
///     // step.finished:     cancel what is still in flight; the call's result is that of attempt step.result_of
///
/// Every function returns the next step. The rules, those of gRPC's hedging (proposal A6) where it has one:
/// * A success ends the call, and so does an error that is not retryable. The others lose: cancel them. A late result
///   changes nothing.
/// * A retryable error starts the next hedge at once. With a hint of the server's (pushback) the next hedge waits as long as
///   the hint policy says, or no further hedge is sent (`when_pushed_back`).
/// * Hints are remembered: no attempt begins before the latest time that a server asked for, even where the attempts that
///   failed later brought no hint. After a hint that is too long for the hint policy, or a negative hint that it obeys, no
///   attempt begins; those in flight may still succeed.
/// * When no hedge is left, the last attempt that fails decides as in `retry()`: the call ends, or waits its backoff and
///   begins another round of one attempt and its hedges. `max_attempts` counts all attempts together.
/// * Each attempt but the first is charged to the quota as a retry is. A hedge that is refused (quota, attempts, deadline,
///   gate, pacer) changes nothing for those in flight; no other is tried in that round.
/// * What an attempt paid is spent when it fails or loses; the winner's is paid back as after a retried success. A stop
///   gives back what is held, as the end of this object in the middle of a call does.
/// * After a stop no attempt begins; the call is over when those in flight have ended, and a success still is one.
///
/// It refers to strategy and hedging, which must outlive it; the call (and its deadline) begins with the constructor.
/// Not for two threads at a time. Observers get hedges as retries, and no further event of an attempt that loses.
///
/// Requires: an operation that may run twice at the same time; no nesting_guard, no reset_after
/// Throws: what a classifier or an observer throws; the call is over then, and has no reason. Nothing else.
/// Cost: about 100 bytes and a token for each attempt that may be in flight, 2 more; the clock where a policy needs it
/// Choose it where the last percent of the latency matters and the server has room. Not where an attempt is dear to
/// the server, or cannot be cancelled: see docs/how_to/hedge_requests.md.
template <class S, class H, declared Declared = declared::nothing>
class hedge_machine : pinned::immovable<hedge_machine<S, H, Declared>> {
  static constexpr bool is_sound = detail::explain_hedge_machine<S, H, Declared>();

 public:
  hedge_machine(S const& by, H const& hedges, call_declaration<Declared> /*declared*/ = {}) : engine_{by, hedges} {}
  // Compilers show the line of a deleted function, and so what is said in it.
  hedge_machine(S const&&, H const&,  // anew: it refers to a strategy and a hedging that you keep
                call_declaration<Declared> = {}) = delete;
  hedge_machine(S const&, H const&&,  // anew: it refers to a strategy and a hedging that you keep
                call_declaration<Declared> = {}) = delete;
  hedge_machine(S const&&, H const&&,  // anew: it refers to a strategy and a hedging that you keep
                call_declaration<Declared> = {}) = delete;

  /// Starts attempt 1; waits where a gate or a pacer asks for it; `finished` where one refuses, with `result_of` 0.
  [[nodiscard]] hedge_step begin() { return engine_.begin(); }

  /// The timer fired: another attempt starts, or none, or the timer is set again because the delay has grown.
  [[nodiscard]] hedge_step on_time() { return engine_.on_time(); }

  /// The result of that attempt, read as `retry()` reads one (anew/base/result_traits.hpp), plain values by the classifier.
  template <class R>
  [[nodiscard]] hedge_step on_outcome(std::uint32_t number, R const& result) {
    if constexpr (is_sound) {
      if constexpr (detail::explain_result<detail::caller::outcome, S, detail::operation_that_returns<R>>())
        return engine_.on_outcome(number, result);
    }
    return {};
  }
  /// That attempt failed with this error; the strategy's classifier reads it.
  template <class E>
  [[nodiscard]] hedge_step on_error(std::uint32_t number, E const& error) {
    if constexpr (is_sound) {
      if constexpr (detail::explain_machine_error<S, E>()) return engine_.on_error(number, error);
    }
    return {};
  }
#if ANEW_EXCEPTIONS
  /// That attempt threw this; it is read as `retry()` reads an exception.
  [[nodiscard]] hedge_step on_exception(std::uint32_t number, std::exception_ptr const& thrown) {
    return engine_.on_exception(number, thrown);
  }
#endif
  /// That attempt ended with something that you classified yourself.
  [[nodiscard]] hedge_step on_verdict(std::uint32_t number, directive const& verdict) {
    return engine_.on_verdict(number, verdict);
  }
  /// That attempt succeeded.
  [[nodiscard]] hedge_step on_success(std::uint32_t number) { return engine_.on_success(number); }
  /// You ended that attempt because it passed its limit: a time-out, which may have taken effect.
  [[nodiscard]] hedge_step on_attempt_timeout(std::uint32_t number) { return engine_.on_attempt_timeout(number); }

  /// No further attempt begins. Cancel those in flight and tell what came of each: the last one ends the call.
  [[nodiscard]] hedge_step request_stop() { return engine_.request_stop(); }

  /// Ends a call whose attempts do not all complete: what it holds is given back at once, and no observer is notified.
  /// For a driver that is torn down; `request_stop()` ends a call in order.
  void abandon() noexcept { engine_.abandon(); }

  /// The parts of the attempt that was started last. Right after a step with `start`.
  [[nodiscard]] attempt::parts current() const { return engine_.current(); }
  /// How long that attempt may take; `duration::max()` for no limit, and none but a composed one is there to be kept.
  [[nodiscard]] duration attempt_timeout() const { return engine_.attempt_timeout(); }

  /// False for one that never began, has ended, or has lost.
  [[nodiscard]] bool is_in_flight(std::uint32_t number) const noexcept { return engine_.is_in_flight(number); }
  [[nodiscard]] std::uint32_t in_flight() const noexcept { return engine_.in_flight(); }
  [[nodiscard]] bool is_finished() const noexcept { return engine_.is_finished(); }
  /// Why the call ended, once it has.
  [[nodiscard]] stop_reason reason() const noexcept { return engine_.reason(); }
  /// How many attempts have begun, all together.
  [[nodiscard]] std::uint32_t attempts() const noexcept { return engine_.attempts(); }

 private:
  typename detail::hedge_engine_if<S, H, is_sound>::type engine_;
};

template <class S, class H>
hedge_machine(S const&, H const&) -> hedge_machine<S, H>;
template <class S, class H, declared Declared>
hedge_machine(S const&, H const&, call_declaration<Declared>) -> hedge_machine<S, H, Declared>;

}  // namespace anew::inline ANEW_ABI

#endif
