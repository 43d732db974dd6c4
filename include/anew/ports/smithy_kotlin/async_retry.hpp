// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_ASYNC_RETRY_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_ASYNC_RETRY_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/ports/smithy_kotlin/retry_directive.hpp"
#if ANEW_EXCEPTIONS

#include <exception>
#include <tuple>
#include <type_traits>
#include <utility>

#include "anew/bridges/asio/async_retry.hpp"
#include "anew/ports/smithy_kotlin/internal/suspended_call.hpp"
#include "anew/ports/smithy_kotlin/retry_strategy.hpp"
#include "anew/ports/smithy_kotlin/standard_retry_strategy.hpp"

namespace anew::inline ANEW_ABI::smithy_kotlin {

namespace detail {

/// A block that completes with an exception, and at most one value after it.
template <class Signature>
struct block_signature {
  static constexpr bool is_one = false;
};
template <class... R>
  requires(sizeof...(R) <= 1)
struct block_signature<void(std::exception_ptr, R...)> {
  static constexpr bool is_one = true;
  using result = std::tuple_element_t<0, std::tuple<std::decay_t<R>..., void>>;
};
template <class Block>
inline constexpr bool block_completes_with_an_exception_first =
    block_signature<anew::detail::signature_of_t<Block>>::is_one;

template <class Policy, class Block, class Timers, class Token>
consteval bool explain_async() {
  namespace of = anew::detail;
  using strategy = suspended_call<int, Policy>;  // as good as any other
  if constexpr (!of::explain_async_operation<strategy, Block>()) {
  } else if constexpr (!block_completes_with_an_exception_first<Block>) {
    static_assert(
        block_completes_with_an_exception_first<Block>,
        "anew::smithy_kotlin::async_retry(strategy, policy, block, token) requires a block that is a coroutine, "
        "or completes with a std::exception_ptr and at most one value; this block completes otherwise. Await "
        "the operation in a coroutine: [&]() -> awaitable<T> { co_return co_await operation(use_awaitable); }");
  } else {
    using R = typename block_signature<of::signature_of_t<Block>>::result;
    return detail::explain_policy<std::remove_cvref_t<Policy>, Block, R>() && of::explain_token<Token, Timers>();
  }
  return false;
}

template <class R, class Policy>
struct make_suspended {
  standard_retry_strategy const& strategy;
  Policy policy;
  suspended_call<R, Policy> operator()() && { return {strategy, static_cast<Policy&&>(policy)}; }
  suspended_call<R, Policy> operator()() const& { return {strategy, Policy(policy)}; }
};

template <class Timers, class Policy, class Block, class Token>
decltype(auto) async_retry_on(Timers&& timers, standard_retry_strategy const& strategy, Policy&& policy, Block&& block,
                              Token&& token) {
  using held = held_policy<Policy&&>;
  using from = std::decay_t<Timers>;
  using run = std::decay_t<Block>;
  if constexpr (detail::explain_async<held, run, from, std::decay_t<Token>>()) {
    using signature = anew::detail::signature_of_t<run>;
    using R = typename block_signature<signature>::result;
    return net::async_initiate<Token, signature>(
        anew::detail::call_initiation<anew::detail::begin_kept<signature, from>, from>{{std::forward<Timers>(timers)}},
        token, make_suspended<R, held>{strategy, std::forward<Policy>(policy)}, std::forward<Block>(block));
  } else {
    return anew::detail::inert_async<run>(token);
  }
}

}  // namespace detail

/// `strategy.retry(policy, block)` on Asio's loop: no thread waits, neither for the delayer nor for the token bucket.
///
///     std::string page = co_await kotlin::async_retry(strategy, policy, fetch, use_awaitable);
///
/// `block` is a coroutine, `block(anew::attempt&)` or `block()`, that returns `awaitable<R>`, or another operation of
/// async_retry() that completes with a `std::exception_ptr` first. The call completes as the block does: with the value
/// that the policy calls a success, or an exception as the blocking function throws it. An exception of the delayer or of
/// the token bucket leaves `io_context::run()`, and ends the call without a completion.
///
/// `max_time` cancels the block in progress, by its cancellation slot, and the call completes with `timed_out`, which has
/// the last result of the attempt before. A block that ignores cancellation ends when it wants to; its value, if it then
/// returns one, counts. A cancellation of the call ends it, and nothing follows.
///
/// An lvalue policy is held by reference and must outlive the call; a temporary is stored. The strategy may be destroyed
/// once the call has begun: the call shares its parts.
///
/// Requires: an executor, of the handler or named first; a policy that reads the block's result.
/// Cost: two blocks of memory per call, and a timer.
template <class Policy, class Block, class Token>
decltype(auto) async_retry(standard_retry_strategy const& strategy, Policy&& policy, Block&& block, Token&& token) {
  return detail::async_retry_on(anew::detail::no_timers{}, strategy, std::forward<Policy>(policy),
                                std::forward<Block>(block), std::forward<Token>(token));
}

/// The same, with the place of its waits: an executor, an execution context, or a source of timers (`TimerSource`).
template <anew::detail::SaysWhere Where, class Policy, class Block, class Token>
decltype(auto) async_retry(Where&& where, standard_retry_strategy const& strategy, Policy&& policy, Block&& block,
                           Token&& token) {
  return detail::async_retry_on(anew::detail::timers_of(std::forward<Where>(where)), strategy,
                                std::forward<Policy>(policy), std::forward<Block>(block), std::forward<Token>(token));
}

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#endif  // ANEW_EXCEPTIONS
#endif
