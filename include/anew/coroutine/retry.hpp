// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_COROUTINE_RETRY_HPP
#define ANEW_COROUTINE_RETRY_HPP

#include <type_traits>
#include <utility>

#include "anew/concept/sleeper.hpp"
#include "anew/coroutine/internal/call.hpp"
#include "anew/coroutine/internal/explain.hpp"
#include "anew/coroutine/task.hpp"
#include "anew/drive/retry.hpp"
#include "anew/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// `Strategy` is what the call keeps of it: a reference, or itself.
template <class Strategy, class Given, class Op, class Sleep, class Stop>
auto retry_awaited(Given&& strategy, Op&& operation, Sleep&& sleep, Stop const& stop) {
  using kept_operation = std::decay_t<Op>;
  using kept_sleep = std::decay_t<Sleep>;
  if constexpr (!detail::explain_coroutine<Strategy, Op, Sleep, Stop>()) {
    return detail::inert<typename inert_task<Strategy, kept_operation, kept_sleep, Stop>::type>();
  } else {
    using call = task_of<coroutine_of<Strategy, kept_operation, kept_sleep, Stop>>;
    return detail::retry_in_coroutine<typename call::task, typename call::awaited, Strategy, kept_operation, kept_sleep,
                                      Stop>(std::forward<Given>(strategy), std::forward<Op>(operation),
                                            std::forward<Sleep>(sleep), stop);
  }
}

template <class Op>
struct call_has_a_sleep {
  static constexpr bool value = !AwaitedOperation<Op>;
};
/// What the operation returns can be awaited where the call is.
template <class Op>
result_of<std::decay_t<Op>> explain_no_sleep() {
  static_assert(
      call_has_a_sleep<Op>::value,
      "anew::retry(strategy, operation, sleep) requires a sleep when the operation returns an awaitable; this call "
      "would block the thread between attempts. Pass one: [](anew::duration delay) { return your_timer(delay); }");
  return detail::inert<result_of<std::decay_t<Op>>>();
}

}  // namespace detail

/// Calls `operation` and awaits what it returns until it succeeds, its error is final, or the strategy gives up, and
/// awaits `sleep(delay)` in between: `auto page = co_await anew::retry(strategy, fetch, sleep);`
///
/// The call is a coroutine of the operation's own type, so it works with the task of any library and needs none of ours;
/// for an awaitable that is no coroutine's type it is an `anew::task<T>`. It begins when the task's type says, mostly when
/// it is awaited. Results are read, exceptions classified and the last of either returned untouched as retry() does.
///
/// The operation and the sleep are kept in the coroutine's frame, at one address. A strategy that is an lvalue is
/// referred to and must outlive the call; an rvalue is kept too.
///
/// Requires: `strategy` and the awaited result are as for the retry() that blocks; `operation` is callable with
/// `attempt&` or nothing, and `sleep` with `anew::duration`; the coroutine of the operation's type can co_await what both
/// return.
/// Returns: what `operation` returned last. A rejected result is destroyed before the wait, unless the call may end in it.
/// Throws: what `operation` throws last, and whatever the classifier, the sleep or an observer throws. A `system_error`
/// of the operation whose code means `std::errc::operation_canceled` is final. Destroyed in the middle, the call gives
/// back what it holds of the strategy.
/// Cost: one frame beside the operation's own, which are made anew for each attempt.
/// An attempt timeout is told to the operation and ends nothing here. Choose it in a coroutine. Not where an event loop has
/// callbacks: retry_machine.
/// Example: examples/26_coroutine_of_your_own.cpp
template <class Strategy, class Op, class Sleep>
  requires(detail::NotAStopToken<Sleep> && detail::AwaitedCall<Strategy const&, Op, Sleep>)
[[nodiscard]] auto retry(Strategy const& strategy, Op&& operation, Sleep&& sleep) {
  return detail::retry_awaited<Strategy const&>(strategy, std::forward<Op>(operation), std::forward<Sleep>(sleep),
                                                never_stop{});
}
template <class Strategy, class Op, class Sleep>
  requires(!std::is_lvalue_reference_v<Strategy> && detail::NotAStopToken<Sleep> &&
           detail::AwaitedCall<std::remove_cv_t<Strategy>, Op, Sleep>)
[[nodiscard]] auto retry(Strategy&& strategy, Op&& operation, Sleep&& sleep) {
  return detail::retry_awaited<std::remove_cv_t<Strategy>>(
      std::forward<Strategy>(strategy), std::forward<Op>(operation), std::forward<Sleep>(sleep), never_stop{});
}

/// With a stop token: a stop starts no further attempt, and what fails after it is not retried. It wakes nothing by
/// itself: `sleep(delay, stop)`, preferred where it can be called, may.
template <class Strategy, class Op, class Sleep, class Stop>
  requires detail::AwaitedCall<Strategy const&, Op, Sleep, Stop>
[[nodiscard]] auto retry(Strategy const& strategy, Op&& operation, Sleep&& sleep, Stop const& stop) {
  return detail::retry_awaited<Strategy const&>(strategy, std::forward<Op>(operation), std::forward<Sleep>(sleep),
                                                stop);
}
template <class Strategy, class Op, class Sleep, class Stop>
  requires(!std::is_lvalue_reference_v<Strategy> && detail::AwaitedCall<std::remove_cv_t<Strategy>, Op, Sleep, Stop>)
[[nodiscard]] auto retry(Strategy&& strategy, Op&& operation, Sleep&& sleep, Stop const& stop) {
  return detail::retry_awaited<std::remove_cv_t<Strategy>>(
      std::forward<Strategy>(strategy), std::forward<Op>(operation), std::forward<Sleep>(sleep), stop);
}

/// Without a sleep it would block the thread, or never await: an explanation.
template <class Strategy, class Op>
  requires detail::AwaitedOperation<Op>
auto retry(Strategy const& /*strategy*/, Op&& /*operation*/) {
  return detail::explain_no_sleep<Op>();
}
template <class Strategy, class Op, StopToken Stop>
  requires detail::AwaitedOperation<Op>
auto retry(Strategy const& /*strategy*/, Op&& /*operation*/, Stop const& /*stop*/) {
  return detail::explain_no_sleep<Op>();
}

}  // namespace anew::inline ANEW_ABI

#endif
