// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_COROUTINE_INTERNAL_AWAITABLE_HPP
#define ANEW_BRIDGES_COROUTINE_INTERNAL_AWAITABLE_HPP

#include <coroutine>
#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"

/// Which types can be awaited, and their results: the rules of `co_await` as type traits.
namespace anew::inline ANEW_ABI::detail {

/// The promise of a coroutine that returns `Task` and has these parameters; void if it is not a coroutine type.
template <class Task, class... Args>
struct promise_of : std::type_identity<void> {};
template <class Task, class... Args>
  requires requires { typename std::coroutine_traits<Task, Args...>::promise_type; }
struct promise_of<Task, Args...> : std::type_identity<typename std::coroutine_traits<Task, Args...>::promise_type> {};

struct has_await_transform {
  int await_transform;
};
template <class Promise>
struct asks_for_await_transform : Promise, has_await_transform {};

/// A promise with any `await_transform` decides about everything that its coroutine awaits. Detected by a name that
/// then becomes ambiguous; for a final class it cannot be detected.
template <class Promise>
concept TransformsAwaited = std::is_class_v<Promise> && !std::is_final_v<Promise> &&
                            !requires { &asks_for_await_transform<Promise>::await_transform; };

template <class Promise, class A>
concept Transforms = requires(Promise& promise, A&& awaited) { promise.await_transform(static_cast<A&&>(awaited)); };

template <class Promise, class A>
struct transformed : std::conditional<TransformsAwaited<Promise>, void, A> {};
template <class Promise, class A>
  requires Transforms<Promise, A>
struct transformed<Promise, A>
    : std::type_identity<decltype(std::declval<Promise&>().await_transform(std::declval<A>()))> {};

template <class A>
concept HasMemberCoAwait = requires(A&& awaited) { static_cast<A&&>(awaited).operator co_await(); };
template <class A>
concept HasFreeCoAwait = requires(A&& awaited) { operator co_await(static_cast<A&&>(awaited)); };

template <class A>
struct awaiter_of : std::type_identity<A> {};
template <HasMemberCoAwait A>
struct awaiter_of<A> : std::type_identity<decltype(std::declval<A>().operator co_await())> {};
template <HasFreeCoAwait A>
  requires(!HasMemberCoAwait<A>)
struct awaiter_of<A> : std::type_identity<decltype(operator co_await(std::declval<A>()))> {};

/// `await_suspend` is not checked: it may accept the handles of some promises only.
template <class A>
concept Awaiter = requires(std::remove_reference_t<A>& awaiter) {
  awaiter.await_ready() ? 1 : 0;
  awaiter.await_resume();
};

/// The result of `co_await` of an `A` in a coroutine with this promise (void: any).
template <class Promise, class A>
using awaiter_in = typename awaiter_of<typename transformed<Promise, A>::type>::type;
template <class Promise, class A>
concept AwaitableIn = Awaiter<awaiter_in<Promise, A>>;
template <class Promise, class A>
using awaited_in = decltype(std::declval<std::remove_reference_t<awaiter_in<Promise, A>>&>().await_resume());

}  // namespace anew::inline ANEW_ABI::detail

#endif
