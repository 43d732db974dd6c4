// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_POLL_INTERNAL_EXPLAIN_HPP
#define ANEW_DRIVERS_POLL_INTERNAL_EXPLAIN_HPP

#include <type_traits>

#include "anew/base/platform/compiler.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/internal/drive.hpp"
#include "anew/drivers/internal/explain_call.hpp"
#include "anew/drivers/poll/acceptor.hpp"
#include "anew/drivers/poll/internal/watch.hpp"
#include "anew/drivers/poll/poll_outcome.hpp"
#include "anew/policies/sharing/internal/handle_of.hpp"
#include "anew/roles/operation.hpp"
#include "anew/roles/retry_strategy.hpp"
#include "anew/roles/sleeper.hpp"

/// Explains a wrong call of `poll()`.
namespace anew::inline ANEW_ABI::detail {

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
concept AcceptsExceptions =
    (catches_of<A>::type::size > 0) || requires(A const& a, unknown_exception e) { a.on_error(e); };

/// An acceptor that takes neither the operation's result nor its errors is a mistake: it would never be called.
template <class A, class R>
inline constexpr bool acceptor_reads_the_result =
    is_listener<A> || HearsResult<A, R> || HearsError<A, R> || (ANEW_EXCEPTIONS && AcceptsExceptions<A>);

template <class List>
inline constexpr bool at_least_one_acceptor_may_succeed = false;
template <class... As>
inline constexpr bool at_least_one_acceptor_may_succeed<acceptors<As...>> = (may_succeed<As> || ...);

template <class A, class R>
consteval bool explain_acceptor() {
  static_assert(acceptor_reads_the_result<A, R>,
                "anew::poll(strategy, operation, acceptors) requires acceptors that take the operation's result or "
                "error; this acceptor takes neither. Give success_when, failure_when and retry_when a predicate on the "
                "result, and success_on_error, failure_on_error and retry_on_error a predicate on the error");
  return acceptor_reads_the_result<A, R>;
}
template <class R, class... As>
consteval bool explain_acceptors(acceptors<As...> const* /*list*/) {
  return (detail::explain_acceptor<As, R>() && ...);
}

template <class Strategy, static_duration Delay>
inline constexpr bool has_own_state<wait_first<Strategy, Delay>> = has_own_state<Strategy>;
template <class Strategy, static_duration Delay>
consteval auto own_state_of(wait_first<Strategy, Delay> const* /*waiter*/) {
  return detail::own_state_of(static_cast<Strategy const*>(nullptr));
}

template <class Op, class R = typename inert_result<Op>::type>
using inert_poll = poll_outcome<std::conditional_t<std::is_void_v<R>, void_result, R>>;

/// The acceptors of a call whose looks find an `R`.
template <class R, class List>
consteval bool explain_list() {
  if constexpr (!at_least_one_acceptor_may_succeed<List>) {
    static_assert(at_least_one_acceptor_may_succeed<List>,
                  "anew::poll(strategy, operation, acceptors) requires at least one acceptor that can report success; "
                  "with these acceptors the call can only fail or time out. Add anew::success_when(predicate)");
    return false;
  } else {
    return detail::explain_acceptors<std::remove_cvref_t<R>>(static_cast<List const*>(nullptr));
  }
}

template <class W>
consteval bool explain_waiter() {
  if constexpr (IsUnsound<W>) W::template explain<W>();
  return !IsUnsound<W>;
}

template <class W, class S, class Op, class List, class Sleep, class Stop>
consteval bool explain_poll() {
  if constexpr (!detail::explain_waiter<W>()) {
  } else if constexpr (!detail::explain_call<caller::poll, S, Op, Sleep, Stop>() ||
                       !detail::explain_result<caller::poll, S, Op>()) {
  } else {
    return detail::explain_list<driven_result<Op>, List>();
  }
  return false;
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
