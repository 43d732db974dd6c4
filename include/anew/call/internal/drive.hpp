// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CALL_INTERNAL_DRIVE_HPP
#define ANEW_CALL_INTERNAL_DRIVE_HPP

#include <exception>
#include <new>
#include <type_traits>
#include <utility>

#include "anew/base/attempt.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/call/internal/admission.hpp"
#include "anew/call/internal/decide.hpp"
#include "anew/call/internal/empty_operation.hpp"
#include "anew/call/internal/guarded.hpp"
#include "anew/call/internal/last_failure.hpp"
#include "anew/call/internal/result_slot.hpp"
#include "anew/policies/sources/internal/stop.hpp"
#include "anew/roles/attempt_timeout.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/operation.hpp"
#include "anew/roles/retry_strategy.hpp"
#include "anew/roles/sleeper.hpp"
#include "anew/strategy/internal/twin.hpp"

/// The blocking loop over a strategy's three functions. `drive` is the first attempt, inlined where it is called, with
/// the instructions of a loop written by hand; `after_first` is everything after a failure, out of line.
namespace anew::inline ANEW_ABI::detail {

template <class Op>
using driven_result = std::conditional_t<std::is_void_v<result_of<Op>>, void_result, std::remove_cv_t<result_of<Op>>>;

/// The scope around an attempt of a strategy that has a nesting policy.
struct no_scope {};
template <class S>
ANEW_INLINE auto scope_of([[maybe_unused]] S const& strategy) {
  if constexpr (HasNesting<S>) {
    return strategy.nesting().enter(strategy.quota());
  } else {
    return no_scope{};
  }
}

/// Calls the operation with its attempt, or without arguments, whichever it accepts.
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

/// A call that a strategy's twin decides after its first failure.
template <class Call, class Twin>
struct call_with_twin : Call {
  [[nodiscard]] constexpr Twin const& decider() const noexcept { return twin; }
  Twin twin;
};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // g++ 12 at -O1 does not see that a result has been placed
#endif
/// The way from a failed first attempt to the end of the call. Its state is one object, made only after a failure.
template <class S, class Op, class Sleep, class Stop, class Report>
class after_first {
 public:
  using R = driven_result<Op>;
  using call_type = call_of<S, Op, Sleep, Stop, Report>;
  using verdict_type =
      decltype(detail::judge<Op>(std::declval<S const&>(), std::declval<std::remove_reference_t<R> const&>()));

  after_first(call_type const& call, initial_token<S>& initial)
      : call_{start(call)}, now_{initial.take(call_.decider()), error_kind::client, {}} {}

  /// Makes this object in `room`. Returns true if another attempt follows, by `go_on()`; after false or an exception the
  /// object is destroyed. It is made out of line: inlined, building the twin would spill registers of the success path.
  template <class E>
  ANEW_COLD static bool threw(room_for<after_first>& room, call_type call, handed<initial_token<S>> initial,
                              E const& error) {
    auto& self = room.make(call, initial);
    ending over{&self};
    if (!detail::exception_failed(self.call_, self.now_, error, 1)) return false;
    self.last_.keep_exception(is_kept_through_sleep<S>(self.call_.stop));
    over.self = nullptr;
    return true;
  }
  ANEW_COLD static bool returned(room_for<after_first>& room, call_type call, handed<initial_token<S>> initial,
                                 std::remove_reference_t<R>& result, verdict_type const& verdict) {
    auto& self = room.make(call, initial);
    ending over{&self};
    if (!detail::value_failed(self.call_, self.now_, result, verdict, 1)) return false;
    self.last_.keep(is_kept_through_sleep<S>(self.call_.stop), [&result]() -> R { return static_cast<R&&>(result); });
    over.self = nullptr;
    return true;
  }

  /// Makes all attempts after the first, and destroys this object.
  ANEW_OUT_OF_LINE R go_on() {
    result_slot<R> nothing;
    if constexpr (std::is_same_v<verdict_type, bool>) {
      return follow(nothing, false);
    } else {
      return follow(nothing, directive::fail());
    }
  }

  /// The whole way in one call, for a result that is cheap to copy, so that nothing of the caller has to lie in memory.
  ANEW_OUT_OF_LINE static R conclude(call_type call, handed<initial_token<S>> initial, R result, verdict_type verdict) {
    room_for<after_first> room;
    result_slot<R> slot;
    slot.emplace_from([result] { return result; });
    return room.make(call, initial).follow(slot, verdict);
  }

 private:
  using D = decider_type_of<S>;
  friend room_for<after_first>;
  ~after_first() = default;

  /// Makes all attempts after that of `slot`, which failed; after the first, which threw, where `slot` is empty.
  ANEW_INLINE R follow(result_slot<R>& slot, verdict_type verdict) {
    ending const over{this};
    for (std::uint32_t attempts = 1;;) {
      if (slot.has_value()) {
        if (!detail::value_failed(call_, now_, *slot, verdict, attempts)) return slot.take();
        last_.keep(is_kept_through_sleep<S>(call_.stop), [&]() -> R { return slot.take(); });
        slot.reset();
      }
      detail::pause(call_.sleep, now_.delay(), call_.stop);
      if constexpr (!std::is_same_v<Stop, never_stop>) {
        if (call_.stop.stop_requested() && last_.is_kept()) return end_with_last(stop_reason::cancelled, attempts);
      }
      if constexpr (WaitsBeforeTheEnd<D>) {
        if (now_.end.reason != stop_reason::succeeded) return end_with_last(now_.end.reason, attempts);
      }
      moment<S> began{call_.strategy};
      if constexpr (HasAdmission<S>) {
        auto const refusal = detail::await_admission(call_.decider(), now_.token, call_.sleep, call_.stop, began);
        if constexpr (RefusesRetries<S>) {
          if (refusal != stop_reason::succeeded) return end_with_last(refusal, attempts);
        }
      }
      last_.forget();
      attempts = saturating_next(attempts);

      attempt::parts parts{};
      if constexpr (TakesAttempt<Op>) {
        detail::set_parts(parts, call_.strategy, now_.token, attempts, now_.previous, began);
        parts.stop = view_of(call_.stop);
        parts.is_rewound = IsRewound<Op>;
      }

      bool const returned = detail::guarded<typename catches_of<classifier_type_of<S>>::type>(
          [&] {
            slot.emplace_from([&]() -> R { return detail::invoke(call_.strategy, call_.operation, parts); });
            return true;
          },
          [&](auto const& error) {
            bool const again = detail::exception_failed(call_, now_, error, attempts);
            if (again) last_.keep_exception(is_kept_through_sleep<S>(call_.stop));
            return again;
          },
          [] { return false; });
      if (!returned) continue;
      verdict = detail::judge<Op>(call_.strategy, *slot);
      if (is_success_verdict(verdict)) {
        detail::succeeded(call_.decider(), call_.report, std::move(now_.token), attempts);
        return slot.take();
      }
    }
  }

  struct ending {
    after_first* self;
    explicit ending(after_first* one) noexcept : self{one} {}
    ending(ending const&) = delete;
    ending& operator=(ending const&) = delete;
    ~ending() {
      if (self != nullptr) self->~after_first();
    }
  };

  R end_with_last(stop_reason reason, std::uint32_t attempts) {
    detail::end(call_.strategy, call_.report, reason, attempts);
    return last_.give(call_.report);
  }

  static constexpr bool has_twin = !std::is_same_v<D, S>;
  using cold_call = std::conditional_t<has_twin, call_with_twin<call_type, D>, call_type>;
  ANEW_INLINE static cold_call start(call_type const& call) {
    if constexpr (has_twin) {
      return {call, detail::make_twin(call.strategy)};
    } else {
      return call;
    }
  }

  cold_call call_;
  upcoming<D> now_;
  last_failure<R, may_end_in_sleep<S, Stop>> last_;
};
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

/// A result that fits into registers: a copy is cheaper than a place in memory.
template <class R>
inline constexpr bool is_cheap_to_copy =
    std::is_trivially_copyable_v<R> && std::is_copy_constructible_v<R> && sizeof(R) <= 2 * sizeof(void*);

/// Makes one call; its first attempt is made here.
template <class S, class Op, class Sleep, class Stop, class Report>
ANEW_INLINE driven_result<Op> drive(S const& strategy, Op& operation, Sleep& sleep, Stop const& stop, Report& report) {
  using R = driven_result<Op>;
  using catches = typename catches_of<classifier_type_of<S>>::type;
  // A strategy that does not read exceptions lets the first one propagate: the call holds nothing yet.
  constexpr bool guards = may_throw<Op>() && (ReadsExceptions<classifier_type_of<S>> || ObservesEveryAttempt<S> ||
                                              Report::is_wanted || !PureInitialToken<S>);

  detail::require_operation(operation);
  auto began = detail::beginning_of(strategy, report);
  initial_token<S> initial{strategy, began};
  if constexpr (!PureInitialToken<S>) {
    if (initial.delay() > duration::zero()) {
      detail::pause(sleep, initial.delay(), stop);
      began = moment<S>{strategy};
    }
  }
  if constexpr (HasAdmission<S>) {
    auto const refusal = detail::await_admission(strategy, initial.token(), sleep, stop, began);
    if constexpr (RefusesAttempts<S>) {
      if (refusal != stop_reason::succeeded) [[unlikely]]
        return detail::refuse<R>(strategy, report, refusal);
    }
  }

  attempt::parts parts{};
  if constexpr (TakesAttempt<Op>) {
    detail::set_parts(parts, strategy, initial, 1, error_kind::client, began);
    parts.stop = view_of(stop);
    parts.is_rewound = IsRewound<Op>;
  }

  using after = after_first<S, Op, Sleep, Stop, Report>;
  [[maybe_unused]] room_for<after> failure;
  [[maybe_unused]] bool finished = false;
  auto const first = [&]() ANEW_INLINE_LAMBDA -> R {
    if constexpr (guards) {
      return detail::guarded<catches>(
          [&]() ANEW_INLINE_LAMBDA -> R { return detail::invoke(strategy, operation, parts); },
          [&](auto const& error) ANEW_INLINE_LAMBDA {
            return after::threw(failure, {strategy, operation, sleep, stop, report}, initial, error);
          },
          [&]() ANEW_INLINE_LAMBDA -> R {
            finished = true;
            return failure.value.go_on();
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
    return after::conclude({strategy, operation, sleep, stop, report}, initial, result, verdict);
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
      if (!after::returned(failure, {strategy, operation, sleep, stop, report}, initial, result, verdict))
        return result;
    }
    return failure.value.go_on();
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
