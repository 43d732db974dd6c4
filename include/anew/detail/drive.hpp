// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DETAIL_DRIVE_HPP
#define ANEW_DETAIL_DRIVE_HPP

#include <exception>
#include <type_traits>
#include <utility>

#include "anew/attempt.hpp"
#include "anew/classifier/retry_info.hpp"
#include "anew/concept/classifier.hpp"
#include "anew/concept/observer.hpp"
#include "anew/concept/operation.hpp"
#include "anew/concept/retry_strategy.hpp"
#include "anew/concept/sleeper.hpp"
#include "anew/config.hpp"
#include "anew/detail/guarded.hpp"
#include "anew/detail/result_slot.hpp"
#include "anew/outcome.hpp"
#include "anew/stop.hpp"

/// The blocking loop over a strategy's three functions. `drive` is the first attempt, inlined where it is called, with
/// the instructions of a loop written by hand; `drive_on` is everything after a failure, one function out of line.
namespace anew::detail {

template <class S>
concept HasDeadline = requires { requires S::has_deadline; };
template <class S>
concept HasObserver = requires { requires S::has_observer; };
template <class S>
concept PureInitialToken = requires { requires S::initial_token_is_pure; };

template <class S>
constexpr decltype(auto) classifier_of(S const& strategy) {
  if constexpr (requires { strategy.classifier(); }) {
    return strategy.classifier();
  } else {
    return retry_info_classifier{};
  }
}
template <class S>
using classifier_type_of = std::remove_cvref_t<decltype(classifier_of(std::declval<S const&>()))>;

template <class S>
constexpr time_point now_of(S const& strategy) {
  if constexpr (requires { strategy.now(); }) {
    return strategy.now();
  } else {
    return std::chrono::steady_clock::now();
  }
}

/// The initial token: held from the start, or, where it depends on the time alone, just that, so that a call which
/// succeeds at once has no token in memory.
template <class S>
class initial_token {
 public:
  explicit initial_token(S const& strategy) : token_{strategy.acquire_initial_token()} {}
  [[nodiscard]] typename S::token_type take(S const& /*strategy*/) { return std::move(token_); }
  [[nodiscard]] duration delay() const { return token_.delay(); }
  static constexpr time_point began() noexcept { return {}; }

 private:
  typename S::token_type token_;
};

template <PureInitialToken S>
class initial_token<S> {
 public:
  explicit initial_token(S const& /*strategy*/) noexcept {}
  [[nodiscard]] typename S::token_type take(S const& strategy) const {
    return strategy.acquire_initial_token(time_point{});
  }
  static constexpr time_point began() noexcept { return {}; }
};

template <PureInitialToken S>
  requires HasDeadline<S>
class initial_token<S> {
 public:
  explicit initial_token(S const& strategy) : began_{strategy.now()} {}
  [[nodiscard]] typename S::token_type take(S const& strategy) const { return strategy.acquire_initial_token(began_); }
  [[nodiscard]] time_point began() const noexcept { return began_; }

 private:
  time_point began_;
};

/// What the attempt to come needs to know.
template <class S>
struct upcoming {
  typename S::token_type token;
  error_kind previous;
};

/// Room for one, filled only after a failure; `drive` knows when.
template <class S>
union deferred {
  upcoming<S> value;
  deferred() noexcept {}
  ~deferred() {}
};

/// The report of a call that nobody asks about.
struct no_report {
  static constexpr bool is_wanted = false;
};

/// What a successful or failed plain value is told by: nothing, or what the classifier makes of it.
template <class C, class R>
inline constexpr bool is_classified_by_value = !carries_error<R> && !std::is_same_v<R, void_result> && ReadsResult<C, R>;

template <class S, class R>
ANEW_INLINE auto judge(S const& strategy, R const& result) {
  if constexpr (is_classified_by_value<classifier_type_of<S>, R>) {
    return classifier_of(strategy).classify_result(result);
  } else {
    return is_success(result);
  }
}
constexpr bool is_success_verdict(bool verdict) noexcept { return verdict; }
constexpr bool is_success_verdict(directive const& verdict) noexcept { return verdict.is_success(); }

template <class S, class R>
directive explain_failure(S const& strategy, R const& result, bool /*verdict*/) {
  if constexpr (carries_error<R>) {
    return classifier_of(strategy).classify(error_of(result));
  } else {
    return directive::fail();
  }
}
template <class S, class R>
directive explain_failure(S const& /*strategy*/, R const& /*result*/, directive const& verdict) {
  return verdict;
}

template <class S, class Report>
void end(S const& strategy, Report& report, stop_reason reason, std::uint32_t attempts) {
  if constexpr (Report::is_wanted) report.ended(reason, attempts);
  if constexpr (HasObserver<S>) {
    if constexpr (requires(end_event const& e) { strategy.observer().on_end(e); }) {
      strategy.observer().on_end(end_event{attempts, reason});
    }
  }
}

template <class S>
void tell_attempt([[maybe_unused]] S const& strategy, [[maybe_unused]] std::uint32_t attempts,
                  [[maybe_unused]] directive const& verdict) {
  if constexpr (HasObserver<S>) {
    if constexpr (requires(attempt_event const& e) { strategy.observer().on_attempt(e); }) {
      strategy.observer().on_attempt(attempt_event{attempts, verdict});
    }
  }
}

template <class S, class Report>
ANEW_INLINE void succeeded(S const& strategy, Report& report, typename S::token_type&& token, std::uint32_t attempts) {
  strategy.record_success(std::move(token));
  detail::tell_attempt(strategy, attempts, directive::succeed());
  detail::end(strategy, report, stop_reason::succeeded, attempts);
}

/// What follows a failed attempt. True: another one, described by `next`, which was empty before. The token is consumed.
template <bool Idempotent, class S, class Report>
ANEW_COLD bool decide(S const& strategy, Report& report, typename S::token_type&& token, directive const& verdict,
                      std::uint32_t attempts, upcoming<S>* next) {
  if (verdict.is_success()) {
    detail::succeeded(strategy, report, std::move(token), attempts);
    return false;
  }
  detail::tell_attempt(strategy, attempts, verdict);
  failure what = verdict.is_retry() ? verdict.what() : failure{error_kind::client, retry_safety::no, std::nullopt};
  bool const undeclared = !Idempotent && what.safety == retry_safety::maybe;
  if (undeclared) what.safety = retry_safety::no;
  if constexpr (Report::is_wanted) report.failed(what);

  auto answer = [&] {
    if constexpr (HasDeadline<S>) {
      return strategy.refresh_retry_token(std::move(token), what, now_of(strategy));
    } else {
      return strategy.refresh_retry_token(std::move(token), what);
    }
  }();
  if (!answer) {
    detail::end(strategy, report, undeclared ? stop_reason::not_idempotent : answer.reason(), attempts);
    return false;
  }
  if constexpr (HasObserver<S>) {
    if constexpr (requires(retry_event const& e) { strategy.observer().on_retry(e); }) {
      strategy.observer().on_retry(retry_event{attempts + 1, what, answer->delay(), answer.origin()});
    }
  }
  ::new (static_cast<void*>(next)) upcoming<S>{*std::move(answer), what.kind};
  return true;
}

/// A failed result, or a classified exception: what follows?
template <bool Idempotent, class S, class Stop, class Report, class R, class Verdict>
ANEW_COLD bool value_failed(S const& strategy, Stop const& stop, Report& report, typename S::token_type&& token,
                            R const& result, Verdict const& verdict, std::uint32_t attempts, upcoming<S>* next) {
  if (stop.stop_requested()) {  // what fails after a stop fails because of it
    detail::end(strategy, report, stop_reason::cancelled, attempts);
    return false;
  }
  return detail::decide<Idempotent>(strategy, report, std::move(token),
                                    detail::explain_failure(strategy, result, verdict), attempts, next);
}

template <bool Idempotent, class S, class Stop, class Report, class E>
ANEW_COLD bool exception_failed(S const& strategy, Stop const& stop, Report& report, typename S::token_type&& token,
                                E const& error, std::uint32_t attempts, upcoming<S>* next) {
  bool again = false;
  if (stop.stop_requested()) {
    detail::end(strategy, report, stop_reason::cancelled, attempts);
  } else {
    auto verdict = directive::fail();
    if constexpr (ClassifierOf<classifier_type_of<S>, E>) verdict = classifier_of(strategy).classify(error);
    if (verdict.is_success()) verdict = directive::fail();  // an exception leaves no result to succeed with
    again = detail::decide<Idempotent>(strategy, report, std::move(token), verdict, attempts, next);
  }
  if constexpr (Report::is_wanted) report.operation_threw = !again;
  return again;
}

/// The same for the first attempt, whose token need not exist before. Out of line, so that the caller's path to success
/// has nothing of it.
template <bool Idempotent, class S, class Stop, class Report, class R, class Verdict>
ANEW_COLD bool first_value_failed(S const& strategy, Stop const& stop, Report& report, initial_token<S>& initial,
                                  R const& result, Verdict verdict, upcoming<S>* next) {
  return detail::value_failed<Idempotent>(strategy, stop, report, initial.take(strategy), result, verdict, 1, next);
}
template <bool Idempotent, class S, class Stop, class Report, class E>
ANEW_COLD bool first_exception_failed(S const& strategy, Stop const& stop, Report& report, initial_token<S>& initial,
                                      E const& error, upcoming<S>* next) {
  return detail::exception_failed<Idempotent>(strategy, stop, report, initial.take(strategy), error, 1, next);
}

template <class Op>
using driven_result =
    std::conditional_t<std::is_void_v<result_of<Op>>, void_result, std::remove_cv_t<result_of<Op>>>;

template <class Op>
ANEW_INLINE driven_result<Op> invoke(Op& operation, [[maybe_unused]] attempt::parts const& parts) {
  if constexpr (TakesAttempt<Op>) {
    attempt self{parts};
    if constexpr (std::is_void_v<result_of<Op>>) {
      operation(self);
      return void_result{};
    } else {
      return operation(self);
    }
  } else if constexpr (std::is_void_v<result_of<Op>>) {
    operation();
    return void_result{};
  } else {
    return operation();
  }
}

template <class Op>
consteval bool may_throw() {
#if ANEW_EXCEPTIONS
  if constexpr (TakesAttempt<Op>) {
    return !noexcept(std::declval<Op&>()(std::declval<attempt&>()));
  } else {
    return !noexcept(std::declval<Op&>()());
  }
#else
  return false;
#endif
}

template <class Sleep, class Stop>
void pause(Sleep& sleep, duration delay, Stop const& stop) {
  if constexpr (!std::is_same_v<Stop, never_stop> && requires { sleep(delay, stop); }) {
    sleep(delay, stop);
  } else {
    sleep(delay);
  }
}

/// The last failure of a call that may be stopped in its sleep: then it is the call's result. Without a stop token the
/// result is destroyed before the sleep, and this is empty.
template <class R, class Stop>
struct last_failure {
  result_slot<R> result;
#if ANEW_EXCEPTIONS
  std::exception_ptr exception;
#endif
  template <class Make>
  void keep(Stop const& stop, Make&& make) {
    if (stop.stop_possible()) result.emplace_from(std::forward<Make>(make));
  }
  void keep_exception([[maybe_unused]] Stop const& stop) noexcept {
#if ANEW_EXCEPTIONS
    if (stop.stop_possible()) exception = std::current_exception();
#endif
  }
  void forget() noexcept {
    result.reset();
#if ANEW_EXCEPTIONS
    exception = nullptr;
#endif
  }
  template <class Report>
  R give([[maybe_unused]] Report& report) {
#if ANEW_EXCEPTIONS
    if (exception) {
      if constexpr (Report::is_wanted) report.operation_threw = true;
      std::rethrow_exception(exception);
    }
#endif
    return result.take();
  }
};
template <class R>
struct last_failure<R, never_stop> {
  template <class Make>
  static void keep(never_stop /*stop*/, Make&& /*make*/) noexcept {}
  static void keep_exception(never_stop /*stop*/) noexcept {}
  static void forget() noexcept {}
};

/// All attempts after the first. Consumes `*first`.
template <class S, class Op, class Sleep, class Stop, class Report, class R = driven_result<Op>>
ANEW_COLD R drive_on(S const& strategy, Op& operation, Sleep& sleep, Stop const& stop, Report& report,
                     upcoming<S>* first, last_failure<R, Stop>&& last) {
  constexpr bool idempotent = is_idempotent<Op>;
  struct guard {  // the caller's room holds no object afterwards, whatever happens here
    upcoming<S>* room;
    ~guard() { room->~upcoming<S>(); }
  } const consumed{first};
  upcoming<S>& now = *first;

  for (std::uint32_t attempts = 1;;) {
    detail::pause(sleep, now.token.delay(), stop);
    if (stop.stop_requested()) {
      detail::end(strategy, report, stop_reason::cancelled, attempts);
      if constexpr (!std::is_same_v<Stop, never_stop>) return last.give(report);
    }
    last.forget();
    if (attempts != ~std::uint32_t{0}) ++attempts;

    attempt::parts parts{};
    if constexpr (TakesAttempt<Op>) {
      parts.number = attempts;
      parts.previous = now.previous;
      parts.stop = view_of(stop);
      if constexpr (HasDeadline<S>) {
        parts.deadline = now.token.deadline();
        parts.began = now_of(strategy);
      }
    }

    result_slot<R> slot;
    deferred<S> next;
    auto const move_on = [&now, &next] {
      now = std::move(next.value);
      next.value.~upcoming<S>();
    };
    bool const returned = detail::guarded<typename catches_of<classifier_type_of<S>>::type>(
        [&] {
          slot.emplace_from([&]() -> R { return detail::invoke(operation, parts); });
          return true;
        },
        [&](auto const& error) {
          bool const again = detail::exception_failed<idempotent>(strategy, stop, report, std::move(now.token), error,
                                                                  attempts, &next.value);
          if (again) last.keep_exception(stop);
          return again;
        },
        [] { return false; });
    if (!returned) {
      move_on();
      continue;
    }
    auto const verdict = detail::judge(strategy, *slot);
    if (is_success_verdict(verdict)) {
      detail::succeeded(strategy, report, std::move(now.token), attempts);
      return slot.take();
    }
    if (!detail::value_failed<idempotent>(strategy, stop, report, std::move(now.token), *slot, verdict, attempts,
                                          &next.value)) {
      return slot.take();
    }
    move_on();
    last.keep(stop, [&]() -> R { return slot.take(); });
  }
}

/// One call. Its first attempt is made here.
template <class S, class Op, class Sleep, class Stop, class Report>
ANEW_INLINE driven_result<Op> drive(S const& strategy, Op& operation, Sleep& sleep, Stop const& stop, Report& report) {
  using R = driven_result<Op>;
  using catches = typename catches_of<classifier_type_of<S>>::type;
  constexpr bool idempotent = is_idempotent<Op>;
  // Where nobody asks about exceptions, the first one simply goes on its way: nothing is held yet.
  constexpr bool guards =
      may_throw<Op>() && (ReadsExceptions<classifier_type_of<S>> || HasObserver<S> || Report::is_wanted ||
                          !PureInitialToken<S>);

  initial_token<S> initial{strategy};
  if constexpr (!PureInitialToken<S>) {
    if (initial.delay() > duration::zero()) detail::pause(sleep, initial.delay(), stop);
  }

  attempt::parts parts{};
  if constexpr (TakesAttempt<Op>) {
    parts.stop = view_of(stop);
    if constexpr (HasDeadline<S>) {
      parts.deadline = initial.take(strategy).deadline();
      parts.began = initial.began();
    }
  }

  deferred<S> next;
  [[maybe_unused]] bool finished = false;
  {
    R result = [&]() ANEW_INLINE_LAMBDA -> R {
      if constexpr (guards) {
        last_failure<R, Stop> last;
        return detail::guarded<catches>(
            [&]() ANEW_INLINE_LAMBDA -> R { return detail::invoke(operation, parts); },
            [&](auto const& error) ANEW_INLINE_LAMBDA {
              bool const again = detail::first_exception_failed<idempotent>(strategy, stop, report, initial, error,
                                                                            &next.value);
              if (again) last.keep_exception(stop);
              return again;
            },
            [&]() ANEW_INLINE_LAMBDA -> R {
              finished = true;
              return detail::drive_on(strategy, operation, sleep, stop, report, &next.value, std::move(last));
            });
      } else {
        return detail::invoke(operation, parts);
      }
    }();
    if constexpr (guards) {
      if (finished) [[unlikely]] return result;
    }
    auto const verdict = detail::judge(strategy, result);
    if (is_success_verdict(verdict)) [[likely]] {
      detail::succeeded(strategy, report, initial.take(strategy), 1);
      return result;
    }
    if (!detail::first_value_failed<idempotent>(strategy, stop, report, initial, result, verdict, &next.value)) {
      return result;
    }
    if constexpr (!std::is_same_v<Stop, never_stop>) {
      if (stop.stop_possible()) {
        last_failure<R, Stop> last;
        last.keep(stop, [&]() -> R { return static_cast<R&&>(result); });
        return detail::drive_on(strategy, operation, sleep, stop, report, &next.value, std::move(last));
      }
    }
  }
  return detail::drive_on(strategy, operation, sleep, stop, report, &next.value, last_failure<R, Stop>{});
}

}  // namespace anew::detail

#endif
