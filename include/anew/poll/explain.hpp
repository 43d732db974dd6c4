// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLL_EXPLAIN_HPP
#define ANEW_POLL_EXPLAIN_HPP

#include <type_traits>

#include "anew/concept/operation.hpp"
#include "anew/concept/retry_strategy.hpp"
#include "anew/concept/sleeper.hpp"
#include "anew/config.hpp"
#include "anew/detail/drive.hpp"
#include "anew/detail/explain_call.hpp"
#include "anew/poll/acceptor.hpp"
#include "anew/sharing/forwarded.hpp"

/// What is wrong with a call of `poll()`.
namespace anew::inline ANEW_ABI::detail {

template <class A>
inline constexpr bool is_listener = false;
template <class Tell>
inline constexpr bool is_listener<progress_listener<Tell>> = true;

template <class A>
inline constexpr bool may_succeed = !is_listener<A>;
template <class A>
  requires requires { A::can_succeed; }
inline constexpr bool may_succeed<A> = A::can_succeed;

template <class A, class R>
concept HearsResult = requires(A const& a, R const& r) { a.on_result(r); };
template <class A, class R>
concept HearsError = PolledByError<R> && requires(A const& a, R const& r) { a.on_error(error_of(r)); };
template <class A>
concept HearsExceptions =
    (catches_of<A>::type::size > 0) || requires(A const& a, unknown_exception e) { a.on_error(e); };

/// An acceptor that nothing of this operation reaches is a mistake: it would be silent for ever.
template <class A, class R>
struct acceptor_is_asked {
  static constexpr bool value =
      is_listener<A> || HearsResult<A, R> || HearsError<A, R> || (ANEW_EXCEPTIONS && HearsExceptions<A>);
};

template <class List>
struct an_acceptor_may_succeed;
template <class... As>
struct an_acceptor_may_succeed<acceptors<As...>> {
  static constexpr bool value = (may_succeed<As> || ...);
};

template <class List>
inline constexpr bool has_listener = false;
template <class... As>
inline constexpr bool has_listener<acceptors<As...>> = (is_listener<As> || ...);

template <class A, class R>
consteval bool explain_acceptor() {
  static_assert(
      acceptor_is_asked<A, R>::value,
      "anew::poll(strategy, operation, acceptors) requires acceptors of what the operation returns or throws; "
      "this one takes neither its result nor an error. success_when, failure_when and retry_when take a "
      "predicate on the result, success_on_error, failure_on_error and retry_on_error one on the error");
  return acceptor_is_asked<A, R>::value;
}
template <class R, class... As>
consteval bool explain_acceptors(acceptors<As...> const* /*list*/) {
  return (detail::explain_acceptor<As, R>() && ...);
}

template <class W, class S, class Op, class List, class Sleep, class Stop>
consteval bool explain_poll() {
  if constexpr (IsUnsound<W>) {
    W::template explain<W>();
    return false;
  } else if constexpr (!(RetryStrategy<S> && Operation<Op> && StopToken<Stop> && SleeperFor<Sleep, Stop>)) {
    return detail::explain_call<S, Op, Sleep, Stop>();
  } else if constexpr (!result_is_movable<result_of<Op>>::value || !is_there<plain_result_of<Op>>) {
    return detail::explain_call<S, Op, Sleep, Stop>();
  } else if constexpr (!an_acceptor_may_succeed<List>::value) {
    static_assert(an_acceptor_may_succeed<List>::value,
                  "anew::poll(strategy, operation, acceptors) requires an acceptor that may say success; these never "
                  "do, and it could only fail or time out. Did you forget anew::success_when(predicate)?");
    return false;
  } else {
    return detail::explain_acceptors<std::remove_cvref_t<driven_result<Op>>>(static_cast<List const*>(nullptr));
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
