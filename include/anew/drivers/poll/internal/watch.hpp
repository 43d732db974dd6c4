// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_POLL_INTERNAL_WATCH_HPP
#define ANEW_DRIVERS_POLL_INTERNAL_WATCH_HPP

#include <exception>
#include <optional>
#include <system_error>
#include <type_traits>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/drivers/internal/before_attempt.hpp"
#include "anew/drivers/internal/decide.hpp"
#include "anew/drivers/next_step.hpp"
#include "anew/drivers/poll/acceptor.hpp"
#include "anew/drivers/poll/poll_outcome.hpp"
#include "anew/roles/attempt_timeout.hpp"
#include "anew/roles/retry_strategy.hpp"
#include "anew/strategy/internal/lazy_now.hpp"

/// The strategy that polls, in every driver: a caller's strategy, the acceptors, and what a look found.
namespace anew::inline ANEW_ABI::detail {

template <class W>
concept WaitsFirst = requires(W const& waiter) {
  { waiter.initial_delay() } -> Exactly<duration>;
  waiter.strategy();
};
template <class W>
constexpr decltype(auto) strategy_of(W const& waiter) {
  if constexpr (WaitsFirst<W>) {
    return waiter.strategy();
  } else {
    return (waiter);
  }
}

template <class... As>
constexpr acceptors<As...> const& as_list(acceptors<As...> const& list) noexcept {
  return list;  // NOLINT(bugprone-return-const-ref-from-parameter): for the length of the call
}
template <class A>
constexpr acceptors<A> as_list(A const& one) {
  return acceptors<A>{one};
}
template <class Accept>
using list_of = std::remove_cvref_t<decltype(detail::as_list(std::declval<Accept const&>()))>;

template <class A>
inline constexpr bool is_listener = false;
template <class Tell>
inline constexpr bool is_listener<progress_listener<Tell>> = true;
template <class List>
inline constexpr bool has_listener = false;
template <class... As>
inline constexpr bool has_listener<acceptors<As...>> = (is_listener<As> || ...);

#if ANEW_EXCEPTIONS
/// Asks one acceptor about the exception that is being handled, by the types it names and in their order. Each acceptor
/// has its own try blocks, because the order of the acceptors comes before that of the types.
opinion ask_about_exception(auto const& acceptor, catch_list<> /*none left*/) {
  if constexpr (requires { acceptor.on_error(unknown_exception{}); }) return acceptor.on_error(unknown_exception{});
  return std::nullopt;
}
template <class A, class E, class... Es>
opinion ask_about_exception(A const& acceptor, catch_list<E, Es...> /*types*/) {
  try {
    throw;
  } catch (E const& error) {
    return acceptor.on_error(error);
  } catch (...) {
    return detail::ask_about_exception(acceptor, catch_list<Es...>{});
  }
}
#endif

/// The strategy of one polling call: the three functions of a waiter's strategy, told whether a request failed or its
/// answer is not ready. Nesting and history are omitted: a look that is not ready is neither a nested call nor a failure.
/// `W` and `As` are references or values.
template <class W, class As>
class polling_view {
 public:
  using S = std::remove_cvref_t<decltype(detail::strategy_of(std::declval<W const&>()))>;
  using acceptors_type = std::remove_cvref_t<As>;
  using token_type = typename S::token_type;
  static constexpr bool has_deadline = HasDeadline<S>;
  static constexpr bool has_attempt_timeout = HasAttemptTimeout<S>;
  static constexpr bool has_admission = HasAdmission<S>;
  static constexpr bool has_gate = HasGate<S>;
  static constexpr bool has_pacer = HasPacer<S>;
  static constexpr bool settles_permits = requires { requires S::settles_permits; };
  static constexpr bool has_observer = HasObserver<S>;
  static constexpr bool waits_before_refusal = WaitsBeforeTheEnd<S>;

  polling_view(W waiter, As accept) : waiter_(static_cast<W&&>(waiter)), accept_(static_cast<As&&>(accept)) {}

  template <class... Now>
  [[nodiscard]] token_type acquire_initial_token(Now&... now) const
    requires requires(S const& s) { s.acquire_initial_token(now...); }
  {
    if constexpr (sizeof...(now) == 0) {
      began_ = this->now();
    } else {
      began_ = time_point{(now, ...)};
    }
    return of().acquire_initial_token(now...);
  }
  [[nodiscard]] refreshed<token_type> refresh_retry_token(token_type&& token, failure const& what) const {
    if constexpr (KnowsLooks<S>) {
      auto const found = failed_ ? look_result::failed : look_result::pending;
      return of().refresh_polling_token(std::move(token), what, found);
    } else {
      return of().refresh_retry_token(std::move(token), what);
    }
  }
  void record_success(token_type&& token) const {
    lazy_now<S> ended{of()};
    if constexpr (requires { of().record_success(std::move(token), ended); }) {
      of().record_success(std::move(token), ended);
      ended_ = ended.if_read();
    } else {
      of().record_success(std::move(token));
    }
  }
  [[nodiscard]] bool needs_admission() const { return detail::needs_admission(of()); }
  [[nodiscard]] bool needs_events() const { return detail::needs_events(of()); }
  [[nodiscard]] auto admit(token_type& token, Time auto&& now) const
    requires HasAdmission<S>
  {
    return of().admit(token, now);
  }
  [[nodiscard]] decltype(auto) attempt_timeout() const
    requires HasAttemptTimeout<S>
  {
    return of().attempt_timeout();
  }
  [[nodiscard]] bool limits_attempts() const
    requires LimitsAttemptsAtRunTime<S>
  {
    return of().limits_attempts();
  }
  [[nodiscard]] decltype(auto) observer() const
    requires HasObserver<S>
  {
    return of().observer();
  }
  [[nodiscard]] time_point now() const { return now_of(of()); }
  [[nodiscard]] duration elapsed() const { return saturating_subtract(lazy_now{of(), ended_}(), began_); }

  /// The wait before the first look: that of the strategy, and that of a wait_first, which the deadline shortens.
  [[nodiscard]] duration wait_before_first(token_type const& token) const {
    duration first = token.delay();
    if constexpr (WaitsFirst<std::remove_cvref_t<W>>) {
      auto initial = waiter_.initial_delay();
      if constexpr (HasDeadline<S>) {
        initial = smaller(initial, larger(duration::zero(), saturating_subtract(token.deadline(), now())));
      }
      first = saturating_add(first, initial);
    }
    return first;
  }

  /// Passes `follow` the directive for a result, by its error where it has one that is read, and the error of a request
  /// that failed, and did not just find that nothing is ready.
  template <bool ReadsErrors = true, class R>
  next_step read(R const& came, auto const& follow) const {
    if constexpr (PolledByError<R> && ReadsErrors) {
      if (!is_success(came)) return follow(judge_error(error_of(came)), error_of(came));
    }
    auto const verdict = judge_value(came);
    return failed_ ? follow(verdict, came) : follow(verdict);
  }
  [[nodiscard]] directive judge_value(auto const& came) const {
    auto const verdict = accept_
                             .first_of([&](auto const& a) -> opinion {
                               if constexpr (requires { a.on_result(came); }) return a.on_result(came);
                               return std::nullopt;
                             })
                             .value_or(not_ready);
    return found(verdict, verdict.is_retry() && verdict.what().kind != not_ready.what().kind);
  }
  [[nodiscard]] directive judge_error(auto const& error, directive const& otherwise = directive::fail()) const {
    return found(accept_
                     .first_of([&](auto const& a) -> opinion {
                       if constexpr (requires { a.on_error(error); }) return a.on_error(error);
                       return std::nullopt;
                     })
                     .value_or(otherwise),
                 true);
  }
#if ANEW_EXCEPTIONS
  [[nodiscard]] directive judge_exception(std::exception_ptr const& thrown) const {
    auto const asks = [](auto const& a) {
      return detail::ask_about_exception(a, typename catches_of<std::remove_cvref_t<decltype(a)>>::type{});
    };
    try {
      std::rethrow_exception(thrown);
    } catch (...) {
      return found(accept_.first_of(asks).value_or(directive::unclassified()), true);
    }
  }
#endif
  /// The directive for a look that passed its timeout: a failed request, unless an acceptor says otherwise.
  [[nodiscard]] directive judge_late() const {
    return judge_error(std::make_error_code(std::errc::timed_out), directive::retry(error_kind::timeout));
  }

  /// Tells the listeners of the wait that follows a look.
  template <class Call, class R = void_result>
  next_step tell([[maybe_unused]] Call const& call, next_step step, [[maybe_unused]] R const* last = nullptr) const {
    if constexpr (has_listener<acceptors_type>) {
      if (step != next_step::wait) return step;
      poll_progress progress{call.attempts(), verdict_, failed_, call.wait(), std::nullopt};
      if (auto const deadline = call.current().deadline; deadline != time_point::max()) {
        progress.remaining = larger(duration::zero(), saturating_subtract(deadline, now()));
      }
      accept_.for_each([&](auto const& a) {
        if constexpr (requires { a.tell(progress); }) {
          a.tell(progress);
        } else if constexpr (requires { a.tell(progress, last); }) {
          a.tell(progress, last);
        } else if constexpr (requires { a.tell(progress, nullptr); }) {  // no result of its type has been passed
          a.tell(progress, nullptr);
        }
      });
    }
    return step;
  }

 private:
  [[nodiscard]] S const& of() const noexcept { return detail::strategy_of(waiter_); }
  directive found(directive const& verdict, bool failed) const noexcept {
    verdict_ = verdict;
    failed_ = failed;
    return verdict;
  }

  W waiter_;
  ANEW_NO_UNIQUE_ADDRESS As accept_;
  mutable directive verdict_ = not_ready;
  mutable time_point began_{};
  mutable time_point ended_ = time_point::min();  // where the last success had it read
  mutable bool failed_ = false;                   // the request failed: not just "not ready"
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
