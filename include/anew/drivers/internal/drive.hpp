// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_DRIVE_HPP
#define ANEW_DRIVERS_INTERNAL_DRIVE_HPP

#include <type_traits>

#include "anew/base/attempt.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/drivers/internal/before_attempt.hpp"
#include "anew/drivers/internal/decide.hpp"
#include "anew/drivers/internal/empty_operation.hpp"
#include "anew/drivers/internal/guarded.hpp"
#include "anew/drivers/internal/loop_basis.hpp"
#include "anew/drivers/internal/retry_loop.hpp"
#include "anew/drivers/internal/stop.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/operation.hpp"
#include "anew/roles/retry_strategy.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Enters the loop that all strategies of one shape share. It is out of line: inlined, building the run-time form would
/// take registers of the success path.
template <class S, class Op, class Sleep, class Stop, class Report>
struct loop_entry {
  using R = driven_result<Op>;
  using reader = shared_reader_of<typename S::classifier_type, Op, R>;
  using basis = loop_basis<decider_type_of<S>, typename reader::type, typename S::attempt_timeout_type>;
  using loop = retry_loop<basis, Op, Sleep, Stop, Report>;
  using initial_type = initial_token<S>;
  using verdict_type = typename loop::verdict_type;

  /// Nothing destroys them: the loop destroys itself.
  static_assert(std::is_trivially_destructible_v<basis>);
  struct room {
    room_for<basis> numbers;
    room_for<loop> rest;
    R go_on() { return rest.value.go_on(); }
  };

  ANEW_COLD static bool threw(room& at, by_value_if_empty<S const> strategy, by_value_if_empty<Op> operation,
                              by_value_if_empty<Sleep> sleep, by_value_if_empty<Stop const> stop,
                              by_value_if_empty<Report> report, by_value_if_empty<initial_type> initial,
                              auto const& error) {
    return loop::threw(at.rest, at.numbers.make(make(strategy)), operation, sleep, stop, report, initial, error);
  }
  ANEW_COLD static bool returned(room& at, by_value_if_empty<S const> strategy, by_value_if_empty<Op> operation,
                                 by_value_if_empty<Sleep> sleep, by_value_if_empty<Stop const> stop,
                                 by_value_if_empty<Report> report, by_value_if_empty<initial_type> initial,
                                 std::remove_reference_t<R>& result, verdict_type const& verdict) {
    return loop::returned(at.rest, at.numbers.make(make(strategy)), operation, sleep, stop, report, initial, result,
                          verdict);
  }
  ANEW_OUT_OF_LINE static R conclude(by_value_if_empty<S const> strategy, by_value_if_empty<Op> operation,
                                     by_value_if_empty<Sleep> sleep, by_value_if_empty<Stop const> stop,
                                     by_value_if_empty<Report> report, by_value_if_empty<initial_type> initial,
                                     R result, verdict_type verdict) {
    auto const numbers = make(strategy);
    return loop::conclude(numbers, operation, sleep, stop, report, initial, result, verdict);
  }

 private:
  ANEW_INLINE static basis make(S const& strategy) {
    return {detail::make_run_time_form(strategy), reader::make(strategy.classifier()), strategy.attempt_timeout()};
  }
};

template <class S, class Op, class Sleep, class Stop, class Report>
struct loop_of : std::type_identity<retry_loop<S, Op, Sleep, Stop, Report>> {};
template <IsDecidedInRunTimeForm S, class Op, class Sleep, class Stop, class Report>
struct loop_of<S, Op, Sleep, Stop, Report> : std::type_identity<loop_entry<S, Op, Sleep, Stop, Report>> {};

/// The blocking driver. `drive` is the first attempt, inlined where it is called, with the instructions of a loop written
/// by hand; `retry_loop` is everything after a failure, out of line.
/// Makes one call; its first attempt is made here.
template <class S, class Op, class Sleep, class Stop, class Report>
ANEW_INLINE driven_result<Op> drive(S const& strategy, Op& operation, Sleep& sleep, Stop const& stop, Report& report) {
  using R = driven_result<Op>;
  using catches = typename catches_of<classifier_type_of<S>>::type;
  // A strategy that does not read exceptions lets the first one propagate: the call holds nothing yet.
  constexpr bool guards = may_throw<Op>() && (ReadsExceptions<classifier_type_of<S>> || ObservesEveryAttempt<S> ||
                                              Report::is_wanted || !PureInitialToken<S>);

  detail::require_operation(operation);
  detail::require_limit_is_heard<Op>(strategy);
  auto began = detail::beginning_of(strategy, report);
  initial_token<S> initial{strategy, began};
  using again = again_of<Op, PureInitialToken<S>>;
  using loop = typename loop_of<S, typename again::type, Sleep, Stop, Report>::type;
  if constexpr (!PureInitialToken<S>) {
    if (initial.delay() > duration::zero()) [[unlikely]]
      return loop::begin(strategy, again::make(operation), sleep, stop, report, initial, initial.delay(),
                         time_point::min());
  }
  if constexpr (HasAdmission<S>) {
    if (detail::needs_admission(strategy)) {
      auto const [wait, refusal] = strategy.admit(initial.token(), began);
      if constexpr (RefusesAttempts<S>) {
        if (refusal != stop_reason::succeeded) [[unlikely]]
          return detail::refuse<R>(strategy, report, refusal);
      }
      if (wait > duration::zero()) [[unlikely]]
        return loop::begin(strategy, again::make(operation), sleep, stop, report, initial, wait,
                           saturating_add(time_point{began}, wait));
    }
  }

  attempt::parts parts{};
  if constexpr (TakesAttempt<Op>) {
    detail::set_parts(parts, strategy, initial, 1, error_kind::client, began);
    parts.stop = view_of(stop);
    parts.is_rewound = IsRewound<Op>;
  }

  if constexpr (FollowsEachCall<S>) detail::tell_begin(strategy, report, 1);
  [[maybe_unused]] typename loop::room failure;
  [[maybe_unused]] bool finished = false;
  auto const first = [&]() ANEW_INLINE_LAMBDA -> R {
    if constexpr (guards) {
      return detail::guarded<catches>(
          [&]() ANEW_INLINE_LAMBDA -> R { return detail::invoke(strategy, operation, parts); },
          [&](auto const& error) ANEW_INLINE_LAMBDA {
            return loop::threw(failure, strategy, again::make(operation), sleep, stop, report, initial, error);
          },
          [&]() ANEW_INLINE_LAMBDA -> R {
            finished = true;
            return failure.go_on();
          });
    } else {
      return detail::invoke(strategy, operation, parts);
    }
  };

  // Two blocks rather than one: another return statement in the second block, even a discarded one, disables clang's
  // NRVO (benchmarks/codegen, case `expected`: 40 instructions instead of 10).
  if constexpr (is_cheap_to_copy<R>) {
    R result = first();
    if (finished) [[unlikely]]
      return result;
    auto const verdict = detail::judge<Op>(strategy, result);
    if (is_success_verdict(verdict)) [[likely]] {
      detail::succeeded_at_once(strategy, report, initial);
      return result;
    }
    return loop::conclude(strategy, again::make(operation), sleep, stop, report, initial, result, verdict);
  } else {
    {
      R result = first();  // the only return in this scope, so NRVO applies
      if (finished) [[unlikely]]
        return result;
      auto const verdict = detail::judge<Op>(strategy, result);
      if (is_success_verdict(verdict)) [[likely]] {
        detail::succeeded_at_once(strategy, report, initial);
        return result;
      }
      if (!loop::returned(failure, strategy, again::make(operation), sleep, stop, report, initial, result, verdict))
        return result;
    }
    return failure.go_on();
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
