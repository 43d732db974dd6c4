// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_RETRY_LOOP_HPP
#define ANEW_DRIVERS_INTERNAL_RETRY_LOOP_HPP

#include <cstdint>
#include <type_traits>
#include <utility>

#include "anew/base/attempt.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/intrinsics.hpp"
#include "anew/base/platform/internal/on_exit.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/drivers/internal/before_attempt.hpp"
#include "anew/drivers/internal/decide.hpp"
#include "anew/drivers/internal/empty_operation.hpp"
#include "anew/drivers/internal/guarded.hpp"
#include "anew/drivers/internal/last_failure.hpp"
#include "anew/drivers/internal/loop_basis.hpp"
#include "anew/drivers/internal/read_result.hpp"
#include "anew/drivers/internal/result_slot.hpp"
#include "anew/drivers/internal/stop.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/operation.hpp"
#include "anew/roles/retry_strategy.hpp"
#include "anew/roles/sleeper.hpp"

namespace anew::inline ANEW_ABI::detail {

/// The verdict on an attempt that was not made yet. It is not looked at.
template <class Verdict>
constexpr Verdict no_verdict() noexcept {
  if constexpr (std::is_same_v<Verdict, bool>) {
    return false;
  } else {
    return directive::fail();
  }
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // g++ 12 at -O1 does not see that a result has been placed
#endif
/// A blocking call from its first failure, or its first wait, to its end. Its state is one object, made only then. `S` is
/// a strategy or the basis of one.
template <class S, class Op, class Sleep, class Stop, class Report>
class retry_loop {
 public:
  using R = driven_result<Op>;
  using initial_type = typename initial_of<S>::type;
  using verdict_type =
      decltype(detail::judge<Op>(std::declval<S const&>(), std::declval<std::remove_reference_t<R> const&>()));
  struct room {
    room_for<retry_loop> rest;
    operator room_for<retry_loop>&() noexcept { return rest; }  // NOLINT(*-explicit-*)
    R go_on() { return rest.value.go_on(); }
  };

  ANEW_INLINE retry_loop(by_value_if_empty<S const> strategy, by_value_if_empty<Op> operation,
                         by_value_if_empty<Sleep> sleep, by_value_if_empty<Stop const> stop,
                         by_value_if_empty<Report> report, initial_type& initial, std::uint32_t attempts)
      : strategy_(strategy),
        operation_(operation),
        sleep_(sleep),
        stop_(stop),
        state_{[&]() ANEW_INLINE_LAMBDA -> decltype(auto) { return initial.take(decider()); }, attempts, report} {}

  /// Makes this object in `room`. Returns true if another attempt follows, by `go_on()`; after false or an exception the
  /// object is destroyed. The parts of the call are parameters of their own, because one object of them would lie in
  /// memory.
  ANEW_COLD static bool threw(room_for<retry_loop>& room, by_value_if_empty<S const> strategy,
                              by_value_if_empty<Op> operation, by_value_if_empty<Sleep> sleep,
                              by_value_if_empty<Stop const> stop, by_value_if_empty<Report> report,
                              by_value_if_empty<initial_type> initial, auto const& error) {
    auto& self = room.make(strategy, operation, sleep, stop, report, initial, 1U);
    on_exit over{destroys{self}};
    if (!self.fails_by(error)) return false;
    over.dismiss();
    return true;
  }
  ANEW_COLD static bool returned(room_for<retry_loop>& room, by_value_if_empty<S const> strategy,
                                 by_value_if_empty<Op> operation, by_value_if_empty<Sleep> sleep,
                                 by_value_if_empty<Stop const> stop, by_value_if_empty<Report> report,
                                 by_value_if_empty<initial_type> initial, std::remove_reference_t<R>& result,
                                 verdict_type const& verdict) {
    auto& self = room.make(strategy, operation, sleep, stop, report, initial, 1U);
    on_exit over{destroys{self}};
    if (!self.fails(result, verdict)) return false;
    self.keep([&result]() -> R { return static_cast<R&&>(result); });
    over.dismiss();
    return true;
  }

  /// Makes all attempts after the first, and destroys this object.
  ANEW_OUT_OF_LINE R go_on() {
    on_exit const over{destroys{*this}};
    result_slot<R> nothing;
    return follow(nothing, detail::no_verdict<verdict_type>(), as_planned);
  }

  /// The whole way in one call, for a result that is cheap to copy, so that nothing of the caller has to lie in memory.
  ANEW_OUT_OF_LINE static R conclude(by_value_if_empty<S const> strategy, by_value_if_empty<Op> operation,
                                     by_value_if_empty<Sleep> sleep, by_value_if_empty<Stop const> stop,
                                     by_value_if_empty<Report> report, by_value_if_empty<initial_type> initial,
                                     R result, verdict_type verdict) {
    retry_loop self{strategy, operation, sleep, stop, report, initial, 1U};
    result_slot<R> slot;
    slot.emplace_from([result] { return result; });
    return self.follow(slot, verdict, as_planned);
  }

  /// The whole way of a call whose first attempt does not begin at once. `asked`: the end of a wait that a gate or a pacer
  /// asked for.
  ANEW_OUT_OF_LINE static R begin(by_value_if_empty<S const> strategy, by_value_if_empty<Op> operation,
                                  by_value_if_empty<Sleep> sleep, by_value_if_empty<Stop const> stop,
                                  by_value_if_empty<Report> report, by_value_if_empty<initial_type> initial,
                                  duration wait, time_point asked) {
    retry_loop self{strategy, operation, sleep, stop, report, initial, 0U};
    self.state_.begin_after(asked);
    result_slot<R> nothing;
    return self.follow(nothing, detail::no_verdict<verdict_type>(), wait);
  }

 private:
  using D = decider_of_loop<S>;
  friend room_for<retry_loop>;
  ~retry_loop() = default;
  struct destroys {  // named: a lambda would be a type for each exception that the loop can begin with
    retry_loop& loop;
    void operator()() const { loop.~retry_loop(); }
  };

  [[nodiscard]] ANEW_INLINE D const& decider() const noexcept { return detail::decider_in(strategy_); }

  static constexpr duration as_planned = duration::min();

  /// Waits, and makes attempts, until the call is over. The attempt of `slot` failed, where it is not empty.
  ANEW_INLINE R follow(result_slot<R>& slot, verdict_type verdict, duration wait) {
    for (;; wait = as_planned) {
      if (slot.has_value()) {  // the one place that decides on a result: g++ would compile the decision into a second
        if (!fails(*slot, verdict)) return slot.take();
        keep([&]() -> R { return slot.take(); });
        slot.reset();
      }
      if (wait == as_planned) wait = state_.delay();
      lazy_now<D> began{decider()};
      for (;;) {
        detail::pause(sleep_, wait, stop_);
        if constexpr (!std::is_same_v<Stop, never_stop>) {
          if (is_stopped()) return end_with(stop_reason::cancelled);
        }
        if constexpr (WaitsBeforeTheEnd<D>) {
          if (auto const why = state_.last_wait_ends(); why != stop_reason::succeeded) return end_with(why);
        }
        began = lazy_now<D>{decider()};
        auto const answer = state_.enter(decider(), state_.token(), began);
        if constexpr (RefusesRetries<D>) {
          if (answer.refusal != stop_reason::succeeded) return end_with(answer.refusal);
        }
        if (answer.wait <= duration::zero()) break;
        wait = answer.wait;
      }
      last_.forget();

      attempt::parts parts{};
      if constexpr (TakesAttempt<Op>) {
        state_.set_parts(parts, strategy_, began);
        parts.stop = view_of(stop_);
        parts.is_rewound = IsRewound<Op>;
      }
      if constexpr (FollowsEachCall<D>) detail::tell_begin(decider(), state_.report(), state_.attempts());
      bool const returned = detail::guarded<typename catches_of<classifier_type_of<S>>::type>(
          [&] {
            slot.emplace_from([&]() -> R { return detail::invoke(strategy_, operation_, parts); });
            return true;
          },
          [&](auto const& error) { return fails_by(error); }, [] { return false; });
      if (!returned) continue;
      verdict = detail::judge<Op>(strategy_, *slot);
      if (is_success_verdict(verdict)) {
        state_.succeed(decider());
        return slot.take();
      }
    }
  }

  /// Decides after a failure; false ends the call. A failure after a stop counts as caused by the stop.
  template <class Result>
  ANEW_INLINE bool fails(Result const& result, verdict_type const& verdict) {
    auto const read = detail::explain_failure<Op>(strategy_, result, verdict);
    if (!read.is_success() && stop_.stop_requested()) {
      state_.end(decider(), stop_reason::cancelled);
      return false;
    }
    if constexpr (FollowsEachCall<D>) {
      if (!read.is_success()) detail::tell_failed(decider(), state_.report(), result);
    }
    auto const decide_on = [&](directive const& why) ANEW_INLINE_LAMBDA {
      if constexpr (carries_error<Result>) {
        if constexpr (is_classified_by_value<classifier_type_of<S>, Result>) {
          if (detail::is_success(result)) return decide(why);  // a value that the classifier calls a failure
        }
        return decide(why, error_of(result));
      } else {
        return decide(why, no_error_value{});
      }
    };
    if constexpr (MayBeUsedUp<Op, Result>) {
      return decide_on(detail::unless_used_up(operation_, result, read));
    } else {
      return decide_on(read);  // not a copy of it
    }
  }
  bool fails_by(auto const& error) {
    bool again = false;
    if (stop_.stop_requested()) {
      state_.end(decider(), stop_reason::cancelled);
    } else {
      auto const read = detail::judge_exception(strategy_, error);
      if constexpr (FollowsEachCall<D>) detail::tell_error(decider(), state_.report(), error);
      again = decide(detail::unless_used_up(operation_, error, read));
    }
    if constexpr (Report::is_wanted) state_.report().operation_threw = !again;
    if (again) last_.keep_exception(is_kept_through_sleep<D>(stop_));
    return again;
  }
  template <class... Error>
  ANEW_INLINE bool decide(directive const& why, [[maybe_unused]] Error const&... error) {
    if constexpr (requires { requires Report::keeps_history; }) {
      return state_.fail(decider(), operation_, why,
                         [&](failure const& what) { state_.report().keep(state_.attempts(), what, error...); });
    } else {
      return state_.fail(decider(), operation_, why);
    }
  }

  template <class Make>
  ANEW_INLINE void keep(Make&& make) {
    last_.keep(is_kept_through_sleep<D>(stop_), std::forward<Make>(make));
  }

  /// A stop in a wait ends the call if there is a result to end it with: before the first attempt, if a gate or a pacer
  /// could refuse it.
  [[nodiscard]] ANEW_INLINE bool is_stopped() const {
    if (!stop_.stop_requested()) return false;
    if constexpr (RefusesAttempts<S>) {
      if (state_.attempts() == 0) return state_.is_asked_to_wait();
    }
    return last_.is_kept();
  }

  /// Ends the call in or after a wait.
  R end_with(stop_reason reason) {
    if constexpr (RefusesAttempts<S>) {
      if (state_.attempts() == 0) return detail::refuse<R>(decider(), state_.report(), reason);
    }
    state_.end(decider(), reason);
    return last_.give(state_.report());
  }

  ANEW_NO_UNIQUE_ADDRESS by_value_if_empty<S const> strategy_;
  ANEW_NO_UNIQUE_ADDRESS by_value_if_empty<Op> operation_;
  ANEW_NO_UNIQUE_ADDRESS by_value_if_empty<Sleep> sleep_;
  ANEW_NO_UNIQUE_ADDRESS by_value_if_empty<Stop const> stop_;
  call_state<D, by_value_if_empty<Report>> state_;
  last_failure<R, may_end_in_sleep<D, Stop>> last_;
};
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

}  // namespace anew::inline ANEW_ABI::detail

#endif
