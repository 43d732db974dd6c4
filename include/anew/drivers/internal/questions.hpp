// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_QUESTIONS_HPP
#define ANEW_DRIVERS_INTERNAL_QUESTIONS_HPP

#include <concepts>
#include <type_traits>
#include <utility>

#include "anew/base/attempt.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/internal/not_yet.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/intrinsics.hpp"
#include "anew/drivers/internal/drive.hpp"
#include "anew/roles/attempt_timeout.hpp"
#include "anew/roles/operation.hpp"
#include "anew/roles/retry_strategy.hpp"
#include "anew/roles/roles.hpp"
#include "anew/roles/sleeper.hpp"
#include "anew/strategy/basic_strategy.hpp"

/// The questions about strategy, operation, stop token and sleeper of a call. Compilers print the arguments of a question
/// whose answer is no.
namespace anew::inline ANEW_ABI::detail {

/// A strategy behind the virtual interface, which this header does not know.
template <class S>
inline constexpr bool strategy_is_not_virtual = !requires(S const& s) { s.wishes(); };
template <class Strategy, class Op>
inline constexpr bool strategy_comes_first = !RetryStrategy<Op>;
template <class S>
inline constexpr bool models_retry_strategy = RetryStrategy<S>;

/// `nested_in` is given the enclosing call, so it needs no thread-local state.
template <class S>
concept IsToldOfEachCall = requires { requires S::nesting_type::is_told_of_each_call; };
/// True for a virtual strategy too: its own guard, if it has one, cannot see a call that does not block.
template <class S>
inline constexpr bool has_no_nesting_guard = true;
template <HasNesting S>
  requires requires { typename S::nesting_type; }
inline constexpr bool has_no_nesting_guard<S> = IsToldOfEachCall<S>;

/// A stop source, passed instead of a stop token or sleeper.
template <class Sleep, class Stop>
inline constexpr bool stop_is_no_source = !StopSource<Sleep> && !StopSource<Stop>;
// Not the concepts themselves, whose parts clang explains in ten lines.
template <class Stop>
inline constexpr bool is_a_stop_token = StopToken<Stop>;
template <class Sleep, class Stop>
inline constexpr bool sleeper_takes_a_duration = SleeperFor<Sleep, Stop>;
template <class Op>
inline constexpr bool operation_can_be_called = Operation<Op>;

/// A sleeper's return value is ignored; a return value that must itself be waited for is a mistake.
template <class Sleep, class Stop>
inline constexpr bool sleeper_waits = [] {
  if constexpr (requires(Sleep& sleep, duration delay, Stop const& stop) { sleep(delay, stop); }) {
    using slept = decltype(std::declval<Sleep&>()(duration{}, std::declval<Stop const&>()));
    return !Pending<std::remove_cvref_t<slept>>;
  } else {
    return !Pending<std::remove_cvref_t<decltype(std::declval<Sleep&>()(duration{}))>>;
  }
}();

/// An attempt timeout cannot end an operation that blocks or is awaited: the operation must ask for it.
template <class S, class Op>
inline constexpr bool operation_takes_its_attempt =
    !HasAttemptTimeout<S> || LimitsAttemptsAtRunTime<S> || TakesAttempt<Op>;

/// An operation that can be called once: as an rvalue.
template <class Op>
inline constexpr bool operation_can_be_called_again =
    !(requires(Op&& op) { std::move(op)(); } || requires(Op&& op, attempt& a) { std::move(op)(a); });

template <class S>
concept ExplainsItsQuota = requires { S::nesting_type::template explain_quota<typename S::quota_type>(); };

/// A policy with shared state in the strategy itself: a quota, a gate or a pacer that cannot be copied. A handle
/// (`shared<>`, `borrowed<>`) and a policy without state can be copied.
template <class P, class Role = typename P::role>
inline constexpr bool is_own_state = false;
template <class P, class Role>
  requires(std::same_as<Role, roles::quota> || std::same_as<Role, roles::gate> || std::same_as<Role, roles::pacer>)
inline constexpr bool is_own_state<P, Role> = !is_constructible<P, P const&>;

template <class S>
inline constexpr bool has_own_state = false;
template <class... Ps>
inline constexpr bool has_own_state<basic_strategy<Ps...>> = (is_own_state<Ps> || ...);

/// A strategy that must not be a temporary; the question for calls with an rvalue.
template <class S>
concept IsTemporaryWithState = has_own_state<std::remove_cv_t<S>>;

/// Detects a lambda whose body does not compile, such as one that returns two types. clang reports the error and
/// continues with a closure whose `operator()` cannot be called; a second error would hide the first.
struct another_call_operator {
  void operator()() const;
};
template <class Op>
struct with_another_call_operator : Op, another_call_operator {};

template <class Op>
concept NamesItsCallOperator = requires { &Op::operator(); };
template <class Op>
concept HasGenericCallOperator = requires { &Op::template operator()<int>; } || requires {
  &Op::template operator()<int, int>;
} || requires { &Op::template operator()<int, int, int>; };
template <class Op>
inline constexpr bool has_a_call_operator = false;
template <class Op>
  requires(std::is_class_v<Op> && !std::is_final_v<Op>)
inline constexpr bool has_a_call_operator<Op> = !NamesItsCallOperator<with_another_call_operator<Op>>;

template <class Op>
inline constexpr bool is_refused_closure =
    has_a_call_operator<Op> && !NamesItsCallOperator<Op> && !HasGenericCallOperator<Op>;
/// Unwraps a declared operation: the wrapper has its own overload set, and is called as the operation is.
template <class Op>
  requires requires { typename Op::declared; }
inline constexpr bool is_refused_closure<Op> = false;

/// Calls the closure so that the compiler reports its error, unless it has reported that already.
void call_closure(auto& operation) { static_cast<void>(operation()); }
template <class Op>
consteval bool explain_closure() {
  static_cast<void>(&detail::call_closure<Op>);
  return false;
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
