// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_INTERNAL_NOT_YET_HPP
#define ANEW_BASE_INTERNAL_NOT_YET_HPP

#include <type_traits>

#include "anew/base/platform/compiler.hpp"

/// Types of pending results. They are recognised by their members, so that neither `<future>` nor `<coroutine>`, nor
/// the library of a sender, has to be included.
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

/// The futures of the standard, of Boost, Folly and concurrencpp. A type with `wait()` alone, such as a process or a
/// thread pool, is not a pending result.
template <class R>
concept AFuture = requires(R& r) {
  r.wait();
  r.get();
};

/// A result that is awaited, or requested, after the operation has returned.
template <class R>
concept PendingItself = (std::is_class_v<R> && (AnAwaitable<R> || ACoroutineTask<R> || ASender<R> || AFuture<R>)) ||
                        (std::is_enum_v<R> && AnAwaitable<R>);

/// Pending inside an optional or an expected.
template <class R>
concept HoldsPending = requires(R const& r) {
  r.has_value();
  requires PendingItself<typename R::value_type>;
};
template <class R>
concept Pending = PendingItself<R> || HoldsPending<R>;

/// A function object whose only call operator has no parameters. The operator's own type decides, because a default
/// argument or a template makes a polynomial callable without arguments too. A random number generator is a value.
template <class R>
concept CalledWithNothing =
    requires(R& r) { (r.*(&R::operator()))(); } || requires(R&& r) { (static_cast<R&&>(r).*(&R::operator()))(); };
template <class R>
concept AGenerator = requires { typename R::result_type; } && requires {
  R::min();
  R::max();
};

struct takes_anything {
  template <class... Args>
  void operator()(Args const&... /*args*/) const {}
};
/// A deferred operation of Asio, which has a completion signature among its template parameters.
template <class R>
inline constexpr bool names_a_signature = std::is_function_v<R>;
template <template <class...> class T, class... Args>
inline constexpr bool names_a_signature<T<Args...>> = (names_a_signature<Args> || ...);
template <class R>
concept CalledWithAHandler = names_a_signature<R> && !requires { &R::operator(); } &&
                             requires(R&& r, takes_anything handler) { static_cast<R&&>(r)(handler); };

/// A result that is started later by a call, for a deferred operation of Asio by a call with a handler.
template <class R>
concept IsCallable = std::is_class_v<R> && !AGenerator<R> && (CalledWithNothing<R> || CalledWithAHandler<R>);

}  // namespace anew::inline ANEW_ABI::detail

#endif
