// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_OBSERVED_HPP
#define ANEW_DRIVERS_INTERNAL_OBSERVED_HPP

#include <cstdint>
#include <exception>
#include <type_traits>
#include <utility>

#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/hint.hpp"
#include "anew/roles/observer.hpp"
#include "anew/strategy/internal/lazy_now.hpp"

/// How every driver tells the observer, whose part of a call lies in the call's report.
namespace anew::inline ANEW_ABI::detail {

template <class S>
concept HasObserver = requires { requires S::has_observer; };
template <class S>
using observer_of = std::remove_cvref_t<decltype(std::declval<S const&>().observer())>;
template <class S>
concept FollowsEachCall = HasObserver<S> && FollowsCalls<observer_of<S>>;
template <class S>
concept ObservesEveryAttempt =
    HasObserver<S> && (FollowsCalls<observer_of<S>> || HearsAttempts<observer_of<S>> || HearsTheEnd<observer_of<S>>);

/// A report with what the observer keeps of the call.
template <class S, class Report>
struct followed_report : Report {
  typename observer_of<S>::call_type followed;
};
template <class S, class Report>
struct report_for : std::type_identity<Report> {};
template <FollowsEachCall S, class Report>
struct report_for<S, Report> : std::type_identity<followed_report<S, Report>> {};

/// Stands for the time where no observer takes one.
struct no_time {
  explicit no_time(auto const& /*strategy*/) noexcept {}
};
/// The time of events that happen together: read once, and only if the observer takes a time.
template <class S>
using told_at = std::conditional_t<FollowsEachCall<S>, lazy_now<S>, no_time>;

/// Begins a call for the observer.
template <class Report, class S>
ANEW_INLINE typename report_for<S, Report>::type begin_report([[maybe_unused]] S const& strategy,
                                                              [[maybe_unused]] char const* operation) {
  if constexpr (FollowsEachCall<S>) {
    lazy_now<S> now{strategy};
    return {Report{}, detail::begin_observed(strategy.observer(), call_event{operation}, now)};
  } else {
    return Report{};
  }
}

template <class S, class Report>
ANEW_INLINE void tell_begin([[maybe_unused]] S const& strategy, [[maybe_unused]] Report& report,
                            [[maybe_unused]] std::uint32_t number) {
  if constexpr (FollowsEachCall<S>) {
    lazy_now<S> now{strategy};
    detail::tell_begin_to(strategy.observer(), report.followed, number, now);
  }
}

#if ANEW_EXCEPTIONS
/// Tells of the exception that is being handled, which no clause of the classifier names.
template <class S, class Report>
ANEW_COLD void tell_unknown(S const& strategy, Report& report) {
  auto const& observer = strategy.observer();
  if constexpr (HearsErrorOf<observer_of<S>, std::exception>) {
    std::exception const* known = nullptr;
    try {
      throw;
    } catch (std::exception const& error) {
      known = &error;  // it lives: the handler of the caller holds it
    } catch (...) {    // NOLINT(bugprone-empty-catch): nothing is known of it
    }
    if (known != nullptr) return observer.on_error(report.followed, *known);
  }
  if constexpr (HearsErrorOf<observer_of<S>, unknown_exception>)
    observer.on_error(report.followed, unknown_exception{});
}
#endif

/// Tells of the error or the exception of an attempt that failed.
template <class S, class Report, class E>
ANEW_INLINE void tell_error([[maybe_unused]] S const& strategy, [[maybe_unused]] Report& report,
                            [[maybe_unused]] E const& error) {
  if constexpr (FollowsEachCall<S>) {
#if ANEW_EXCEPTIONS
    if constexpr (std::is_same_v<E, unknown_exception>) {
      detail::tell_unknown(strategy, report);
    } else if constexpr (std::is_same_v<E, std::exception_ptr>) {
      try {
        std::rethrow_exception(error);
      } catch (...) {
        detail::tell_unknown(strategy, report);
      }
    } else
#endif
        if constexpr (HearsErrorOf<observer_of<S>, E>) {
      strategy.observer().on_error(report.followed, error);
    }
  }
}
/// Tells of the error in the result of an attempt that failed, or of a result that the classifier reads as a failure.
template <class S, class Report, class R>
ANEW_INLINE void tell_failed([[maybe_unused]] S const& strategy, [[maybe_unused]] Report& report,
                             [[maybe_unused]] R const& result) {
  if constexpr (FollowsEachCall<S>) {
    if constexpr (carries_error<R>) {
      if (!is_success(result)) return detail::tell_error(strategy, report, error_of(result));
    }
    detail::tell_error(strategy, report, result);
  }
}

// Without a followed call each event is made in the call of the observer itself: g++ compiles another decision if it passes
// through one more function.
template <class S, class Report>
void end(S const& strategy, Report& report, stop_reason reason, std::uint32_t attempts,
         [[maybe_unused]] told_at<S> now) {
  if constexpr (Report::is_wanted) report.ended(reason, attempts);
  if constexpr (FollowsEachCall<S>) {
    detail::tell_observer(strategy.observer(), report.followed, end_event{attempts, reason}, now);
  } else if constexpr (HasObserver<S>) {
    if constexpr (HearsTheEnd<observer_of<S>>) strategy.observer().on_end(end_event{attempts, reason});
  }
}
template <class S, class Report>
ANEW_INLINE void end(S const& strategy, Report& report, stop_reason reason, std::uint32_t attempts) {
  detail::end(strategy, report, reason, attempts, told_at<S>{strategy});
}

template <class S, class Report>
void tell_attempt([[maybe_unused]] S const& strategy, [[maybe_unused]] Report& report,
                  [[maybe_unused]] std::uint32_t attempts, [[maybe_unused]] directive const& verdict,
                  [[maybe_unused]] bool is_final, [[maybe_unused]] told_at<S>& now) {
  if constexpr (HasObserver<S>) {
    // Where no classifier has an opinion, an error is final.
    if constexpr (FollowsEachCall<S>) {
      attempt_event const event{attempts, verdict.is_no_opinion() ? directive::fail() : verdict, is_final};
      detail::tell_observer(strategy.observer(), report.followed, event, now);
    } else if constexpr (HearsAttempts<observer_of<S>>) {
      strategy.observer().on_attempt(
          attempt_event{attempts, verdict.is_no_opinion() ? directive::fail() : verdict, is_final});
    }
  }
}

template <class S, class Report>
ANEW_INLINE void tell_retry([[maybe_unused]] S const& strategy, [[maybe_unused]] Report& report,
                            [[maybe_unused]] std::uint32_t next, [[maybe_unused]] failure const& what,
                            [[maybe_unused]] duration delay, [[maybe_unused]] delay_origin origin,
                            [[maybe_unused]] told_at<S>& now) {
  if constexpr (FollowsEachCall<S>) {
    detail::tell_observer(strategy.observer(), report.followed, retry_event{next, what, delay, origin}, now);
  } else {
    strategy.observer().on_retry(retry_event{next, what, delay, origin});
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
