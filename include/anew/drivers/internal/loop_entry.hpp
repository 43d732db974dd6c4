// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_LOOP_ENTRY_HPP
#define ANEW_DRIVERS_INTERNAL_LOOP_ENTRY_HPP

#include <type_traits>

#include "anew/base/platform/compiler.hpp"
#include "anew/drivers/internal/by_value_if_empty.hpp"
#include "anew/drivers/internal/decide.hpp"
#include "anew/drivers/internal/invoke.hpp"
#include "anew/drivers/internal/loop_basis.hpp"
#include "anew/drivers/internal/retry_loop.hpp"
#include "anew/strategy/internal/run_time_form.hpp"

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

  template <class E>
  ANEW_COLD static bool threw(room& at, by_value_if_empty<S const> strategy, by_value_if_empty<Op> operation,
                              by_value_if_empty<Sleep> sleep, by_value_if_empty<Stop const> stop,
                              by_value_if_empty<Report> report, by_value_if_empty<initial_type> initial,
                              E const& error) {
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

}  // namespace anew::inline ANEW_ABI::detail

#endif
