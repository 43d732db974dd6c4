// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVE_INTERNAL_DRIVE_HPP
#define ANEW_DRIVE_INTERNAL_DRIVE_HPP

#include <exception>
#include <new>
#include <type_traits>
#include <utility>

#include "anew/concept/attempt_timeout.hpp"
#include "anew/concept/classifier.hpp"
#include "anew/concept/operation.hpp"
#include "anew/concept/retry_strategy.hpp"
#include "anew/concept/sleeper.hpp"
#include "anew/drive/internal/admission.hpp"
#include "anew/drive/internal/decide.hpp"
#include "anew/drive/internal/guarded.hpp"
#include "anew/drive/internal/last_failure.hpp"
#include "anew/drive/internal/result_slot.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/sleeper/internal/stop.hpp"
#include "anew/value/attempt.hpp"
#include "anew/value/result_traits.hpp"

/// The blocking loop over a strategy's three functions. `drive` is the first attempt, inlined where it is called, with
/// the instructions of a loop written by hand; `drive_on` is everything after a failure, out of line with its callers.
namespace anew::inline ANEW_ABI::detail {

template <class Op>
using driven_result = std::conditional_t<std::is_void_v<result_of<Op>>, void_result, std::remove_cv_t<result_of<Op>>>;

/// What stands around an attempt of a strategy that knows of calls inside calls.
struct no_scope {};
template <class S>
ANEW_INLINE auto scope_of([[maybe_unused]] S const& strategy) {
  if constexpr (HasNesting<S>) {
    return strategy.nesting().enter(strategy.quota());
  } else {
    return no_scope{};
  }
}

/// Calls it with its attempt, or with nothing, as it wants to be called.
template <class Op, class... Attempt>
ANEW_INLINE driven_result<Op> call_operation(Op& operation, Attempt&... self) {
  if constexpr (std::is_void_v<result_of<Op>>) {
    operation(self...);
    return void_result{};
  } else {
    return operation(self...);
  }
}

template <class S, class Op>
ANEW_INLINE driven_result<Op> invoke(S const& strategy, Op& operation, [[maybe_unused]] attempt::parts const& parts) {
  [[maybe_unused]] auto const scope = scope_of(strategy);
  if constexpr (TakesAttempt<Op>) {
    attempt self{parts};
    return detail::call_operation(operation, self);
  } else {
    return detail::call_operation(operation);
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

/// All attempts after the first; `now` describes the one to come.
template <class S, class Op, class Sleep, class Stop, class Report, class R = driven_result<Op>>
R drive_on(S const& strategy, Op& operation, Sleep& sleep, Stop const& stop, Report& report, upcoming<S>& now,
           last_failure<R, may_end_in_sleep<S, Stop>>& last) {
  for (std::uint32_t attempts = 1;;) {
    detail::pause(sleep, now.delay(), stop);
    if constexpr (!std::is_same_v<Stop, never_stop>) {
      if (stop.stop_requested() && last.is_kept()) {
        detail::end(strategy, report, stop_reason::cancelled, attempts);
        return last.give(report);
      }
    }
    if constexpr (WaitsBeforeTheEnd<S>) {
      if (now.end.reason != stop_reason::succeeded) {
        detail::end(strategy, report, now.end.reason, attempts);
        return last.give(report);
      }
    }
    if constexpr (HasAdmission<S>) {
      auto const refusal = detail::await_admission(strategy, now.token, sleep, stop);
      if (refusal != stop_reason::succeeded) {
        if constexpr (RefusesAttempts<S>) {
          detail::end(strategy, report, refusal, attempts);
          return last.give(report);
        }
      }
    }
    last.forget();
    attempts = saturating_next(attempts);

    attempt::parts parts{};
    if constexpr (TakesAttempt<Op>) {
      parts.number = attempts;
      parts.previous = now.previous;
      parts.stop = view_of(stop);
      if constexpr (HasDeadline<S>) {
        parts.deadline = now.token.deadline();
        parts.began = now_of(strategy);
      }
      if constexpr (HasAttemptTimeout<S>) parts.limit = strategy.attempt_timeout().of(attempt{parts}.remaining());
    }

    result_slot<R> slot;
    bool const returned = detail::guarded<typename catches_of<classifier_type_of<S>>::type>(
        [&] {
          slot.emplace_from([&]() -> R { return detail::invoke(strategy, operation, parts); });
          return true;
        },
        [&](auto const& error) {
          bool const again = detail::exception_failed(strategy, operation, stop, report, now, error, attempts);
          if (again) last.keep_exception(is_kept_through_sleep<S>(stop));
          return again;
        },
        [] { return false; });
    if (!returned) continue;
    auto const verdict = detail::judge<Op>(strategy, *slot);
    if (is_success_verdict(verdict)) {
      detail::succeeded(strategy, report, std::move(now.token), attempts);
      return slot.take();
    }
    if (!detail::value_failed(strategy, operation, stop, report, now, *slot, verdict, attempts)) return slot.take();
    last.keep(is_kept_through_sleep<S>(stop), [&]() -> R { return slot.take(); });
  }
}

/// The way from a first attempt that failed to the second. All that it needs stands in one place, made only then: each
/// address that the caller keeps past one call on this way is a register that it saves on the way to success.
template <class S, class Op, class Sleep, class Stop, class Report>
class after_first {
 public:
  using R = driven_result<Op>;

  after_first(S const& strategy, Op& operation, Sleep& sleep, Stop const& stop, Report& report,
              initial_token<S>& initial)
      : strategy_{strategy},
        operation_{operation},
        sleep_{sleep},
        stop_{stop},
        report_{report},
        now_{initial.take(strategy), error_kind::client, {}} {}

  /// True: another attempt follows, by `go_on()`. False, or an exception: the life of this object is over.
  template <class E>
  ANEW_COLD bool threw(E const& error) {
    ending over{this};
    if (!detail::exception_failed(strategy_, operation_, stop_, report_, now_, error, 1)) return false;
    last_.keep_exception(is_kept_through_sleep<S>(stop_));
    over.self = nullptr;
    return true;
  }
  template <class Verdict>
  ANEW_COLD bool returned(std::remove_reference_t<R>& result, Verdict const& verdict) {
    ending over{this};
    if (!detail::value_failed(strategy_, operation_, stop_, report_, now_, result, verdict, 1)) return false;
    last_.keep(is_kept_through_sleep<S>(stop_), [&result]() -> R { return static_cast<R&&>(result); });
    over.self = nullptr;
    return true;
  }

  /// All that follows. The life of this object is over after it.
  ANEW_OUT_OF_LINE R go_on() {
    ending const over{this};
    return detail::drive_on(strategy_, operation_, sleep_, stop_, report_, now_, last_);
  }

  /// The whole way, for a result that is as well copied: one call, and nothing of the caller's stands in memory.
  template <class Verdict>
  ANEW_COLD static R conclude(S const& strategy, Op& operation, Sleep& sleep, Stop const& stop, Report& report,
                              initial_token<S>& initial, R result, Verdict verdict) {
    room_for<after_first> room;
    auto& self = room.make(strategy, operation, sleep, stop, report, initial);
    return self.returned(result, verdict) ? self.go_on() : result;
  }

 private:
  friend room_for<after_first>;
  ~after_first() = default;

  struct ending {
    after_first* self;
    explicit ending(after_first* one) noexcept : self{one} {}
    ending(ending const&) = delete;
    ending& operator=(ending const&) = delete;
    ~ending() {
      if (self != nullptr) self->~after_first();
    }
  };

  S const& strategy_;
  Op& operation_;
  Sleep& sleep_;
  Stop const& stop_;
  Report& report_;
  upcoming<S> now_;
  last_failure<R, may_end_in_sleep<S, Stop>> last_;
};

/// A result that fits into registers: better copied than kept somewhere.
template <class R>
inline constexpr bool is_as_well_copied =
    std::is_trivially_copyable_v<R> && std::is_copy_constructible_v<R> && sizeof(R) <= 2 * sizeof(void*);

/// One call. Its first attempt is made here.
template <class S, class Op, class Sleep, class Stop, class Report>
ANEW_INLINE driven_result<Op> drive(S const& strategy, Op& operation, Sleep& sleep, Stop const& stop, Report& report) {
  using R = driven_result<Op>;
  using catches = typename catches_of<classifier_type_of<S>>::type;
  // Where nobody asks about exceptions, the first one simply goes on its way: nothing is held yet.
  constexpr bool guards = may_throw<Op>() && (ReadsExceptions<classifier_type_of<S>> || TellsOfEveryAttempt<S> ||
                                              Report::is_wanted || !PureInitialToken<S>);

  initial_token<S> initial{strategy};
  if constexpr (!PureInitialToken<S>) {
    if (initial.delay() > duration::zero()) detail::pause(sleep, initial.delay(), stop);
  }
  if constexpr (HasAdmission<S>) {
    auto const refusal = detail::await_admission(strategy, initial.token(), sleep, stop);
    if constexpr (RefusesAttempts<S>) {
      if (refusal != stop_reason::succeeded) [[unlikely]]
        return detail::refuse<R>(strategy, report, refusal);
    }
  }

  attempt::parts parts{};
  if constexpr (TakesAttempt<Op>) {
    parts.stop = view_of(stop);
    if constexpr (HasDeadline<S>) {
      parts.deadline = initial.deadline(strategy);
      parts.began = initial.began(strategy);
    }
    if constexpr (HasAttemptTimeout<S>) parts.limit = strategy.attempt_timeout().of(attempt{parts}.remaining());
  }

  using after = after_first<S, Op, Sleep, Stop, Report>;
  [[maybe_unused]] room_for<after> failure;
  [[maybe_unused]] auto const fail = [&]() ANEW_INLINE_LAMBDA -> after& {
    return failure.make(strategy, operation, sleep, stop, report, initial);
  };
  [[maybe_unused]] bool finished = false;
  auto const first = [&]() ANEW_INLINE_LAMBDA -> R {
    if constexpr (guards) {
      return detail::guarded<catches>(
          [&]() ANEW_INLINE_LAMBDA -> R { return detail::invoke(strategy, operation, parts); },
          [&](auto const& error) ANEW_INLINE_LAMBDA { return fail().threw(error); },
          [&]() ANEW_INLINE_LAMBDA -> R {
            finished = true;
            return failure.value.go_on();
          });
    } else {
      return detail::invoke(strategy, operation, parts);
    }
  };

  // Two blocks rather than one: a return of something else in the second, even a discarded one, costs clang the return in
  // place (benchmarks/codegen, case `expected`: 40 instructions instead of 10).
  if constexpr (is_as_well_copied<R>) {
    R result = first();
    if (finished) [[unlikely]]
      return result;
    auto const verdict = detail::judge<Op>(strategy, result);
    if (is_success_verdict(verdict)) [[likely]] {
      detail::succeeded(strategy, report, initial.take(strategy), 1);
      return result;
    }
    return after::conclude(strategy, operation, sleep, stop, report, initial, result, verdict);
  } else {
    {
      R result = first();  // while it lives, nothing else is returned: so it is made where the caller wants it
      if (finished) [[unlikely]]
        return result;
      auto const verdict = detail::judge<Op>(strategy, result);
      if (is_success_verdict(verdict)) [[likely]] {
        detail::succeeded(strategy, report, initial.take(strategy), 1);
        return result;
      }
      if (!fail().returned(result, verdict)) return result;
    }
    return failure.value.go_on();
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
