// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_POLL_INTERNAL_LOOK_HPP
#define ANEW_DRIVERS_POLL_INTERNAL_LOOK_HPP

#include <cstddef>
#include <exception>
#include <tuple>
#include <type_traits>
#include <utility>

#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/internal/inner.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/internal/drive.hpp"
#include "anew/drivers/internal/explain_call.hpp"
#include "anew/drivers/internal/guarded.hpp"
#include "anew/drivers/next_step.hpp"
#include "anew/drivers/poll/acceptor.hpp"
#include "anew/drivers/poll/internal/watch.hpp"
#include "anew/drivers/poll/poll_outcome.hpp"
#include "anew/policies/sharing/internal/handle_of.hpp"
#include "anew/roles/operation.hpp"
#include "anew/roles/retry_strategy.hpp"
#include "anew/roles/sleeper.hpp"

/// One look of a polling call.
namespace anew::inline ANEW_ABI::detail {

/// How a result is read: by its error too, unless the operation declares that it has none.
template <bool ReadsErrors>
struct reads_result {
  static next_step read(auto const& view, auto const& came, auto const& follow) {
    return view.template read<ReadsErrors>(came, follow);
  }
};

/// A polling call that keeps its last result or exception: `Told` is an outcome, or a reference to one. It keeps outcomes
/// for drivers that ask for it (anew/drivers/internal/read_result.hpp).
template <class W, class As, class R, class Reader, class Told = poll_outcome<R>>
class kept_poll : public polling_view<W, As> {
  using view = polling_view<W, As>;

 public:
  using kept_type = R;
  using view::view;
  kept_poll(W waiter, As accept, Told told)
    requires std::is_reference_v<Told>
      : view{static_cast<W&&>(waiter), static_cast<As&&>(accept)}, kept_{told} {}

  static poll_outcome<R> nothing() { return {}; }

  /// Stores what a look returned or threw.
  template <class Make>
  void hold(Make&& make) const {
#if ANEW_EXCEPTIONS
    kept_.told.exception_ = nullptr;
#endif
    kept_.told.result_.emplace_from(std::forward<Make>(make));
  }
#if ANEW_EXCEPTIONS
  void hold_exception(std::exception_ptr thrown) const {
    kept_.told.result_.reset();
    kept_.told.exception_ = std::move(thrown);
  }
#endif
  /// Reports it to the call.
  next_step report(auto& call, auto&... which) const {
    auto const follow = [&](auto const&... verdict) { return tell(call, call.on_verdict(which..., verdict...)); };
#if ANEW_EXCEPTIONS
    if (kept_.told.exception_) return follow(this->judge_exception(kept_.told.exception_), kept_.told.exception_);
#endif
    return Reader::read(static_cast<view const&>(*this), std::as_const(*kept_.told.result_), follow);
  }

  next_step tell(auto const& call, next_step step) const {
    return view::tell(
        call, step, kept_.told.result_.has_value() ? __builtin_addressof(std::as_const(*kept_.told.result_)) : nullptr);
  }
  /// How the call ended.
  poll_outcome<R>&& give(auto const& call) const {
    kept_.told.reason_ = call.reason();
    kept_.told.attempts_ = call.attempts();
    kept_.told.elapsed_ = this->elapsed();
    return std::move(kept_.told);
  }
  std::tuple<poll_outcome<R>> complete(auto const& call) const { return {give(call)}; }

 private:
  struct place {
    Told told;
  };
  mutable place kept_{};
};

// Explains a wrong call of `poll()`.

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

/// A listener that could not be called would never be. `Last`: a pointer to the last result.
template <class A, class Last>
concept HearsProgress = requires(A const& a, poll_progress const& p) { a.tell(p); } ||
                        requires(A const& a, poll_progress const& p, Last last) { a.tell(p, last); };
template <class A, class R, bool Told>
inline constexpr bool listener_is_callable =
    !is_listener<A> || HearsProgress<A, R const*> || (Told && HearsProgress<A, std::nullptr_t>);

/// An acceptor that takes neither the operation's result nor its errors is a mistake: it would never be called. `Told`:
/// errors are reported beside the results, as a loop of your own does.
template <class A, class R, bool Told>
inline constexpr bool acceptor_reads_the_result =
    is_listener<A> || HearsResult<A, R> || HearsError<A, R> || (ANEW_EXCEPTIONS && AcceptsExceptions<A>) ||
    (Told && requires { typename A::catches; });

template <class List>
inline constexpr bool at_least_one_acceptor_may_succeed = false;
template <class... As>
inline constexpr bool at_least_one_acceptor_may_succeed<acceptors<As...>> = (may_succeed<As> || ...);

template <class A, class R, bool Told>
consteval bool explain_acceptor() {
  static_assert(
      listener_is_callable<A, R, Told>,
      "anew::on_progress(tell) requires a function that is called as const, with (anew::poll_progress const&) "
      "or (anew::poll_progress const&, R const*), where R is the operation's result. Take these parameters, "
      "and omit 'mutable'");
  static_assert(acceptor_reads_the_result<A, R, Told>,
                "anew::poll(strategy, operation, acceptors) requires acceptors that take the operation's result or "
                "error; this acceptor takes neither. Give success_when, failure_when and retry_when a predicate on the "
                "result, and success_on_error, failure_on_error and retry_on_error a predicate on the error");
  return acceptor_reads_the_result<A, R, Told> && listener_is_callable<A, R, Told>;
}
template <class R, bool Told, class... As>
consteval bool explain_acceptors(acceptors<As...> const* /*list*/) {
  return (detail::explain_acceptor<As, R, Told>() && ...);
}

template <class Strategy, static_duration Delay>
inline constexpr bool has_own_state<wait_first<Strategy, Delay>> = has_own_state<Strategy>;

template <class Op, class R = typename inert_result<Op>::type>
using inert_poll = poll_outcome<std::conditional_t<std::is_void_v<R>, void_result, R>>;

/// The acceptors of a call whose looks find an `R`.
template <class R, class List, bool Told = false>
consteval bool explain_list() {
  if constexpr (!at_least_one_acceptor_may_succeed<List>) {
    static_assert(at_least_one_acceptor_may_succeed<List>,
                  "anew::poll(strategy, operation, acceptors) requires at least one acceptor that can report success; "
                  "with these acceptors the call can only fail or time out. Add anew::success_when(predicate)");
    return false;
  } else {
    return detail::explain_acceptors<std::remove_cvref_t<R>, Told>(static_cast<List const*>(nullptr));
  }
}

template <class W>
consteval bool explain_waiter() {
  if constexpr (IsMarkedUnsound<W>) W::explain();
  return !IsMarkedUnsound<W>;
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
