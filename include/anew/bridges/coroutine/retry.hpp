// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_COROUTINE_RETRY_HPP
#define ANEW_BRIDGES_COROUTINE_RETRY_HPP

#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/bridges/coroutine/internal/call.hpp"
#include "anew/bridges/coroutine/internal/explain.hpp"
#include "anew/bridges/coroutine/task.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/internal/empty_operation.hpp"
#include "anew/drivers/poll/internal/look.hpp"
#include "anew/drivers/poll/poll.hpp"
#include "anew/drivers/retry.hpp"
#include "anew/roles/sleeper.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// `Strategy` is how the call holds it: by reference, or by value.
template <class Strategy, class Given, class Op, class Sleep, class Stop = never_stop>
auto retry_awaited(Given&& strategy, Op&& operation, Sleep&& sleep, Stop const& stop = {}) {
  using kept_operation = std::decay_t<Op>;
  using kept_sleep = std::decay_t<Sleep>;
  if constexpr (!detail::explain_coroutine<Strategy, Op, Sleep, Stop>()) {
    return detail::inert<typename inert_task<Strategy, kept_operation, kept_sleep, Stop>::type>();
  } else {
    using call = task_of<coroutine_of<Strategy, kept_operation, kept_sleep, Stop>>;
    detail::require_operation(operation);
    return detail::retry_in_coroutine<typename call::task, typename call::awaited, Strategy, kept_operation, kept_sleep,
                                      Stop>(std::forward<Given>(strategy), std::forward<Op>(operation),
                                            std::forward<Sleep>(sleep), stop);
  }
}

template <class Op>
inline constexpr bool call_has_a_sleep = !AwaitedOperation<Op>;
/// Fails, and says why. Its type is deduced as that of explain_temporary().
template <class Op>
decltype(auto) explain_no_sleep() {
  static_assert(
      call_has_a_sleep<Op>,
      "anew::retry(strategy, operation, sleep) requires a sleep when the operation returns an awaitable; this call "
      "would block the thread between attempts. Pass one: [](anew::duration delay) { return your_timer(delay); }");
  return detail::inert<result_of<std::decay_t<Op>>>();
}

/// The task type of an operation, for another result.
template <class Task, class R>
struct task_returning : std::type_identity<task<R>> {};
template <template <class, class...> class Task, class T, class... Rest, class R>
struct task_returning<Task<T, Rest...>, R> : std::type_identity<Task<R, Rest...>> {};
/// The task of a polling call: of the operation's own kind, or `anew::task`.
template <class Call, class R, bool IsTask = Call::is_task>
struct poll_task : task_returning<typename Call::operation_result, R> {};
template <class Call, class R>
struct poll_task<Call, R, false> : std::type_identity<task<R>> {};

template <class Waiter, class Op, class List, class Sleep, class Stop>
consteval bool explain_awaited_poll() {
  using W = std::remove_cvref_t<Waiter>;
  using S = std::remove_cvref_t<decltype(detail::strategy_of(std::declval<W const&>()))>;
  if constexpr (!detail::explain_waiter<W>()) {
  } else if constexpr (!detail::explain_coroutine<S const&, Op, Sleep, Stop, caller::awaited_poll>()) {
  } else {
    using call = task_of<coroutine_of<Waiter, std::decay_t<Op>, std::decay_t<Sleep>, Stop>>;
    using awaited = typename call::awaited;
    return detail::explain_list<std::conditional_t<std::is_void_v<awaited>, void_result, awaited>, List>();
  }
  return false;
}

/// `Waiter` is how the call holds it: by reference, or by value.
template <class Waiter, class Given, class Op, class Accept, class Sleep, class Stop = never_stop>
auto poll_awaited(Given&& waiter, Op&& operation, Accept const& accept, Sleep&& sleep, Stop const& stop = {}) {
  using kept_operation = std::decay_t<Op>;
  using kept_sleep = std::decay_t<Sleep>;
  using list = list_of<Accept>;
  if constexpr (!detail::explain_awaited_poll<Waiter, Op, list, Sleep, Stop>()) {
    return detail::inert<inert_awaitable>();
  } else {
    using plain = coroutine_of<Waiter, kept_operation, kept_sleep, Stop>;
    using awaited = typename task_of<plain>::awaited;
    using R = std::conditional_t<std::is_void_v<awaited>, void_result, awaited>;
    using strategy = kept_poll<Waiter, list, R, reads_result<!ThrowsOnly<kept_operation>>>;
    detail::require_operation(operation, "poll");
    return detail::retry_in_coroutine<typename poll_task<plain, poll_outcome<R>>::type, awaited, strategy,
                                      kept_operation, kept_sleep, Stop>(
        strategy{std::forward<Given>(waiter), list{detail::as_list(accept)}}, std::forward<Op>(operation),
        std::forward<Sleep>(sleep), stop);
  }
}

}  // namespace detail

/// Calls `operation` and awaits its result until it succeeds, its error is final, or the strategy gives up, and awaits
/// `sleep(delay)` in between: `auto page = co_await anew::retry(strategy, fetch, sleep);`
///
/// The call is a coroutine of the operation's own type, so it works with any library's task. If the operation returns
/// an awaitable that is not a coroutine type, the call is an `anew::task<T>`. It starts when the task's type says,
/// usually when it is awaited. Results are read, exceptions classified and the last of either returned unchanged, as
/// retry() does.
///
/// The coroutine's frame stores the operation and the sleep at one address. An lvalue strategy is held by reference and
/// must outlive the call; an rvalue is stored too.
///
/// Requires: `strategy` and the awaited result are as for the blocking retry(); `operation` is callable with `attempt&`
/// or nothing, and `sleep` with `anew::duration`; a coroutine of the operation's type can co_await both results.
/// Returns: the last result of `operation`. A rejected result is destroyed before the wait, unless the call may end in
/// it.
/// Throws: the last exception of `operation`, and whatever the classifier, the sleep or an observer throws. A
/// `system_error` of the operation whose code means `std::errc::operation_canceled` is final. A call that is destroyed
/// while suspended refunds what it holds of the strategy.
/// Cost: one frame in addition to the operation's own, one per attempt.
///
/// The operation can ask for an attempt timeout, but nothing enforces it here. Choose it in a coroutine. Not for an
/// event loop with callbacks: retry_machine.
/// Example: examples/26_coroutine_of_your_own.cpp
///
/// With a stop token: after a stop no further attempt starts, and no failure is retried. A stop does not wake the
/// sleep, but `sleep(delay, stop)`, which is preferred if it can be called, may.
template <class Strategy, class Op, class Sleep, class... Stop>
  requires(detail::SleepThenStop<Sleep, Stop...> && detail::AwaitedCall<Strategy const&, Op, Sleep, Stop...>)
[[nodiscard]] auto retry(Strategy const& strategy, Op&& operation, Sleep&& sleep, Stop const&... stop) {
  return detail::retry_awaited<Strategy const&>(strategy, std::forward<Op>(operation), std::forward<Sleep>(sleep),
                                                stop...);
}
template <class Strategy, class Op, class Sleep, class... Stop>
  requires(detail::SleepThenStop<Sleep, Stop...> && detail::AwaitedCallOfItsOwn<Strategy, Op, Sleep, Stop...>)
[[nodiscard]] auto retry(Strategy&& strategy, Op&& operation, Sleep&& sleep, Stop const&... stop) {
  return detail::retry_awaited<std::remove_cv_t<Strategy>>(
      std::forward<Strategy>(strategy), std::forward<Op>(operation), std::forward<Sleep>(sleep), stop...);
}

/// Without a sleep it would block the thread, or never await: explains that.
template <class Strategy, class Op, class... Stop>
  requires(detail::StopAlone<Stop...> && detail::AwaitedOperation<Op>)
auto retry(Strategy const& /*strategy*/, Op&& /*operation*/, Stop const&... /*stop*/) {
  return detail::explain_no_sleep<Op>();
}

/// `poll()` for an operation that returns an awaitable: awaits each look, and `sleep(delay)` in between.
///
///     auto told = co_await anew::poll(waiter, describe, anew::success_when(is_running), sleep);
///
/// It polls as the blocking function does, with the same acceptors, listeners and outcome, and "not ready" costs no quota.
/// The call is a coroutine of the operation's own kind, `their::task<poll_outcome<R>>` for `their::task<R>`; of any other
/// awaitable, or a task type that has no template parameter, an `anew::task`. An lvalue `waiter` is held by reference and
/// must outlive the call; an rvalue is stored, as are the acceptors, the operation and the sleep.
///
/// Requires: what `co_await anew::retry()` and `poll()` require; a result that can be moved.
/// Returns: `poll_outcome<R>` with the reason and the last result or exception.
/// Throws: what an acceptor, a listener, the sleep or an observer throws. A `system_error` of the operation whose code
/// means `std::errc::operation_canceled` ends the call with `cancelled`.
/// Cost: that of `co_await anew::retry()`, and two readings of the clock. No thread waits.
/// Choose it in a coroutine. On Asio's loop without coroutines: async_poll. In a loop of your own: poll_machine.
///
/// With a stop token: after a stop no further look begins. `sleep(delay, stop)` is preferred if it can be called.
template <class Waiter, class Op, class Accept, class Sleep, class... Stop>
  requires(detail::SleepThenStop<Sleep, Stop...> && detail::AwaitedCall<Waiter const&, Op, Sleep, Stop...>)
[[nodiscard]] auto poll(Waiter const& waiter, Op&& operation, Accept const& accept, Sleep&& sleep,
                        Stop const&... stop) {
  return detail::poll_awaited<Waiter const&>(waiter, std::forward<Op>(operation), accept, std::forward<Sleep>(sleep),
                                             stop...);
}
template <class Waiter, class Op, class Accept, class Sleep, class... Stop>
  requires(detail::SleepThenStop<Sleep, Stop...> && detail::AwaitedCallOfItsOwn<Waiter, Op, Sleep, Stop...>)
[[nodiscard]] auto poll(Waiter&& waiter, Op&& operation, Accept const& accept, Sleep&& sleep, Stop const&... stop) {
  return detail::poll_awaited<std::remove_cv_t<Waiter>>(std::forward<Waiter>(waiter), std::forward<Op>(operation),
                                                        accept, std::forward<Sleep>(sleep), stop...);
}

}  // namespace anew::inline ANEW_ABI

#endif
