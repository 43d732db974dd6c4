// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_RETRY_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_RETRY_HPP

#include <version>

#include "anew/base/platform/compiler.hpp"
#include "anew/ports/smithy_kotlin/retry_directive.hpp"
#if ANEW_EXCEPTIONS && defined(__cpp_lib_jthread)

#include <stop_token>
#include <type_traits>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/bridges/coroutine/internal/call.hpp"
#include "anew/bridges/coroutine/internal/explain.hpp"
#include "anew/ports/smithy_kotlin/internal/suspended_call.hpp"
#include "anew/ports/smithy_kotlin/retry_strategy.hpp"
#include "anew/ports/smithy_kotlin/standard_retry_strategy.hpp"
#include "anew/roles/operation.hpp"

namespace anew::inline ANEW_ABI::smithy_kotlin {

namespace detail {

template <class Sleep>
concept SleepsUntilStopped = requires(Sleep& sleep, duration delay, std::stop_token const& stop) {
  requires anew::detail::AwaitedAnywhere<decltype(sleep(delay, stop))>;
};
template <class Sleep>
inline constexpr bool sleep_takes_a_stop_token = SleepsUntilStopped<Sleep>;
template <class Task>
inline constexpr bool block_can_be_awaited_anywhere = anew::detail::AwaitedAnywhere<Task>;

template <class Policy, class Block, class Sleep>
consteval bool explain_suspended() {
  using task = anew::detail::result_of<Block>;
  if constexpr (!block_can_be_awaited_anywhere<task>) {
    static_assert(
        block_can_be_awaited_anywhere<task>,
        "anew::smithy_kotlin::retry(strategy, policy, block, sleep) requires a block whose result any coroutine "
        "can await, because max_time and the block are awaited together; this result is a plain value, or "
        "only coroutines of its own library can await it. Call strategy.retry(policy, block), or on Asio "
        "anew::smithy_kotlin::async_retry(strategy, policy, block, token)");
  } else if constexpr (!sleep_takes_a_stop_token<Sleep>) {
    static_assert(
        sleep_takes_a_stop_token<Sleep>,
        "anew::smithy_kotlin::retry(strategy, policy, block, sleep) requires a sleep that is callable as "
        "sleep(anew::duration, std::stop_token) and returns an awaitable, because a stop wakes it when the block "
        "ends before max_time; this sleep is not. Take a std::stop_token");
  } else {
    using call = anew::detail::task_of<anew::detail::coroutine_of<Policy, Block, Sleep, std::stop_token>>;
    return detail::explain_policy<std::remove_cvref_t<Policy>, Block, typename call::awaited>();
  }
  return false;
}

}  // namespace detail

/// `strategy.retry(policy, block)` in a coroutine: awaits each run of the block, and `sleep(delay, stop)` for the delayer,
/// the token bucket and `max_time`. No thread waits.
///
///     std::string page = co_await kotlin::retry(strategy, policy, fetch, sleep);
///
/// `block(anew::attempt&)` or `block()` returns an awaitable; the call is a coroutine of the same type, or an `anew::task`.
/// It returns and throws what the blocking function does.
///
/// `max_time` cancels the block in progress: a stop is requested of `attempt::stop_token()`, the call awaits the block's
/// end and throws `timed_out`, which has the last result of the attempt before. A block that ignores its stop token ends
/// when it wants to; its value, if it then returns one, counts. A stop of `stop` is passed on to block and sleep, and no
/// attempt follows.
///
/// An lvalue policy is held by reference and must outlive the call; a temporary is stored. The strategy may be destroyed
/// before the call ends: the call shares its parts. A call that is destroyed while suspended refunds what it holds.
///
/// Requires: `sleep(anew::duration, std::stop_token)`, which returns an awaitable and wakes when the token is stopped; a
/// block whose result every coroutine can await (not Asio's `awaitable`: async_retry); std::stop_token.
/// Cost: a frame per call, two per attempt, and a block of memory.
template <class Policy, class Block, class Sleep>
[[nodiscard]] auto retry(standard_retry_strategy const& strategy, Policy&& policy, Block&& block, Sleep&& sleep,
                         std::stop_token stop = {}) {
  namespace of = anew::detail;
  using held = detail::held_policy<Policy&&>;
  using run = std::decay_t<Block>;
  using pause = std::decay_t<Sleep>;
  if constexpr (!detail::explain_suspended<held, run, pause>()) {
    return of::inert<of::inert_awaitable>();
  } else {
    using call = of::task_of<of::coroutine_of<held, run, pause, std::stop_token>>;
    using awaited = typename call::awaited;
    using suspended = detail::suspended_call<awaited, held>;
    return of::retry_in_coroutine<typename call::task, awaited, suspended, run, pause, std::stop_token>(
        suspended{strategy, std::forward<Policy>(policy)}, std::forward<Block>(block), std::forward<Sleep>(sleep),
        std::move(stop));
  }
}

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#endif  // ANEW_EXCEPTIONS && defined(__cpp_lib_jthread)
#endif
