// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DETAIL_NOT_YET_HPP
#define ANEW_DETAIL_NOT_YET_HPP

#include <type_traits>

#include "anew/config.hpp"

/// Types that stand for a result which is not there yet. By their members, so that neither `<future>` nor `<coroutine>`,
/// nor the library of a sender, has to be included.
namespace anew::inline ANEW_ABI::detail {

template <class R>
concept AnAwaitable = requires(R&& r) { static_cast<R&&>(r).operator co_await(); } ||
                      requires(R&& r) { operator co_await(static_cast<R&&>(r)); } || requires(R& r) {
                        r.await_ready() ? 1 : 0;
                        r.await_resume();
                      };

template <class R>
concept ACoroutineTask = requires { typename R::promise_type; };

/// `sender_concept` is P2300's. libunifex, which is older, has `sends_done`.
template <class R>
concept ASender = requires { typename R::sender_concept; } || requires { R::sends_done; };

/// The futures of the standard, of Boost, Folly and concurrencpp. What has `wait()` alone, as a process or a thread pool,
/// is not asked for its result.
template <class R>
concept AFuture = requires(R& r) {
  r.wait();
  r.get();
};

/// Started later: by calling it, or, as a deferred operation of Asio's, by calling it with a handler.
struct takes_anything {
  template <class... Args>
  void operator()(Args const&... /*args*/) const {}
};
struct has_call_operator {
  void operator()();
};
template <class R>
struct asks_for_call_operator : R, has_call_operator {};

/// A name that is ambiguous in the derived class is declared in the base, overloaded or not. Of a final class nobody can
/// tell.
template <class R>
concept DeclaresCallOperator =
    std::is_class_v<R> && !std::is_final_v<R> && !requires { &asks_for_call_operator<R>::operator(); };

template <class R>
concept IsCallable = requires(R& r) { r(); } ||
                       (DeclaresCallOperator<R> && !requires { &R::operator(); } &&
                        requires(R&& r, takes_anything handler) { static_cast<R&&>(r)(handler); });

/// A result that is awaited, asked for or started after the operation has returned.
template <class R>
concept Pending = std::is_class_v<R> && (AnAwaitable<R> || ACoroutineTask<R> || ASender<R> || AFuture<R>);

}  // namespace anew::inline ANEW_ABI::detail

#endif
