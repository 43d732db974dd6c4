// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_COROUTINE_INTERNAL_EXPLAIN_HPP
#define ANEW_BRIDGES_COROUTINE_INTERNAL_EXPLAIN_HPP

#include <concepts>
#include <coroutine>
#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/bridges/coroutine/internal/call.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/internal/explain_call.hpp"
#include "anew/drivers/internal/machine.hpp"
#include "anew/roles/operation.hpp"
#include "anew/roles/retry_strategy.hpp"
#include "anew/roles/sleeper.hpp"

/// Whether a call of `retry()` is meant to be awaited, and what is wrong with it.
namespace anew::inline ANEW_ABI::detail {

template <class Sleep, class Stop>
using sleep_result = decltype(detail::start_sleep(std::declval<Sleep&>(), duration{}, std::declval<Stop const&>()));

/// A result that is awaited rather than read: `co_await` accepts it, and no shape of anew/base/result_traits.hpp finds
/// an error in it (some kinds of expected can be awaited).
template <class R>
concept IsOnlyAwaited = AwaitableIn<void, R> && !carries_error<std::remove_cvref_t<R>>;

template <class Op>
inline constexpr bool is_awaited_operation = false;
template <Operation Op>
inline constexpr bool is_awaited_operation<Op> =
    IsOnlyAwaited<result_of<Op>> || (coroutine_of<never_stop, Op, never_stop, never_stop>::is_task &&
                                     !carries_error<std::remove_cvref_t<result_of<Op>>>);

/// With the promise of the operation's coroutine, or any promise.
template <class Strategy, class Op, class Sleep, class Stop>
struct sleep_is_awaitable {
  static constexpr bool value = AwaitableIn<void, sleep_result<Sleep, Stop>>;
};
template <class Strategy, Operation Op, class Sleep, class Stop>
  requires(coroutine_of<Strategy, Op, Sleep, Stop>::is_awaitable)
struct sleep_is_awaitable<Strategy, Op, Sleep, Stop> {
  using promise = typename task_of<coroutine_of<Strategy, Op, Sleep, Stop>>::promise;
  static constexpr bool value = AwaitableIn<promise, sleep_result<Sleep, Stop>>;
};

template <class Strategy, class Op, class Sleep, class Stop = never_stop>
inline constexpr bool is_awaited_sleep = false;
template <class Strategy, class Op, class Sleep, class Stop>
  requires SleeperFor<Sleep, Stop>
inline constexpr bool is_awaited_sleep<Strategy, Op, Sleep, Stop> =
    sleep_is_awaitable<Strategy, Op, Sleep, Stop>::value;

/// A call to be awaited: its operation or its sleep returns an awaitable.
template <class Strategy, class Op, class Sleep, class... Stop>
concept AwaitedCall = is_awaited_operation<std::decay_t<Op>> ||
                      is_awaited_sleep<Strategy, std::decay_t<Op>, std::decay_t<Sleep>, Stop...>;
/// The same of a strategy that the call holds: a temporary one.
template <class Strategy, class Op, class Sleep, class... Stop>
concept AwaitedCallOfItsOwn =
    !std::is_lvalue_reference_v<Strategy> && AwaitedCall<std::remove_cv_t<Strategy>, Op, Sleep, Stop...>;
template <class Op>
concept AwaitedOperation = is_awaited_operation<std::decay_t<Op>>;

template <class Op>
inline constexpr bool operation_returns_an_awaitable =
    coroutine_of<never_stop, Op, never_stop, never_stop>::is_awaitable;
template <class T, class Kept = std::decay_t<T>>
inline constexpr bool can_be_kept_in_a_frame = std::constructible_from<Kept, T> && std::move_constructible<Kept>;

/// `Strategy` as it is stored, the other types as they were passed.
template <class Strategy, class GivenOp, class GivenSleep, class Stop, caller By = caller::awaited>
consteval bool explain_coroutine() {
  using S = std::remove_cvref_t<Strategy>;
  using operation = std::decay_t<GivenOp>;
  using pause = std::decay_t<GivenSleep>;
  if constexpr (!detail::explain_call<By, S, operation, pause, Stop>()) {
    return false;
  } else if constexpr (!operation_returns_an_awaitable<operation>) {
    static_assert(operation_returns_an_awaitable<operation>,
                  "anew::retry or anew::poll in a coroutine requires an operation that returns an awaitable, because "
                  "its sleep returns one; a coroutine cannot co_await this operation's result. Write its return type: "
                  "[&]() -> your_task<T> { ... co_return value; }");
  } else if constexpr (!sleep_is_awaitable<Strategy, operation, pause, Stop>::value) {
    static_assert(sleep_is_awaitable<Strategy, operation, pause, Stop>::value,
                  "anew::retry or anew::poll in a coroutine requires a sleep that returns an awaitable, because its "
                  "operation returns one; the operation's coroutine cannot co_await this sleep's result. Return your "
                  "event loop's timer instead of blocking the thread");
  } else if constexpr (!(can_be_kept_in_a_frame<GivenOp> && can_be_kept_in_a_frame<GivenSleep>)) {
    static_assert(can_be_kept_in_a_frame<GivenOp> && can_be_kept_in_a_frame<GivenSleep>,
                  "anew::retry or anew::poll in a coroutine requires an operation and a sleep that the coroutine can "
                  "store; at least one of them cannot be copied. Pass it with std::move(), or with std::ref() if it "
                  "outlives the call");
  } else {
    using call = task_of<coroutine_of<Strategy, operation, pause, Stop>>;
    return detail::explain_result<By, S, operation_returning<operation, typename call::awaited>>();
  }
  return false;
}

/// The result of a wrong call whose task type is unknown.
struct inert_awaitable {
  static bool await_ready() noexcept { return true; }
  static void await_suspend(std::coroutine_handle<> /*awaiting*/) noexcept {}
  static anything await_resume() noexcept { return {}; }
};

template <class Strategy, class Op, class Sleep, class Stop>
struct inert_task : std::type_identity<inert_awaitable> {};
template <class Strategy, Operation Op, class Sleep, class Stop>
  requires(coroutine_of<Strategy, Op, Sleep, Stop>::is_awaitable)
struct inert_task<Strategy, Op, Sleep, Stop>
    : std::type_identity<typename task_of<coroutine_of<Strategy, Op, Sleep, Stop>>::task> {};

}  // namespace anew::inline ANEW_ABI::detail

#endif
