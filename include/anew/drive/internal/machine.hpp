// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVE_INTERNAL_MACHINE_HPP
#define ANEW_DRIVE_INTERNAL_MACHINE_HPP

#include <cstdint>
#include <exception>
#include <system_error>
#include <type_traits>
#include <utility>

#include "anew/concept/attempt_timeout.hpp"
#include "anew/concept/classifier.hpp"
#include "anew/concept/retry_strategy.hpp"
#include "anew/drive/internal/before_attempt.hpp"
#include "anew/drive/internal/decide.hpp"
#include "anew/drive/internal/ending.hpp"
#include "anew/drive/internal/guarded.hpp"
#include "anew/drive/next_step.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/attempt.hpp"
#include "anew/value/directive.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/stop_reason.hpp"

namespace anew::inline ANEW_ABI::detail {

/// A stop as the functions of decide.hpp ask for it.
struct stop_flag {
  bool requested = false;
  [[nodiscard]] bool stop_requested() const noexcept { return requested; }
};

/// A virtual strategy may have a guard inside; that one sees nothing of a call which does not block.
template <class S>
struct knows_no_nesting {
  static constexpr bool value = !HasNesting<S> || !requires { typename S::nesting_type; };
};

/// One call as a state machine: what the loop of drive.hpp does, turned inside out. `operation` is asked for what it
/// declares and how it is put back, never called.
///
/// It is finished before it asks a classifier or tells an observer, and goes on only when they return: what one of them
/// throws ends the call. What the call holds comes back when the call ends, however long the machine lives.
template <class S>
class machine {
 public:
  using strategy_type = S;

  machine(machine const&) = delete;
  machine& operator=(machine const&) = delete;
  machine(machine&&) = default;
  machine& operator=(machine&&) = default;
  ~machine() = default;

  explicit machine(S const& by) : strategy_{&by}, now_{by.acquire_initial_token(), error_kind::client, {}} {
    static_assert(knows_no_nesting<S>::value,
                  "anew: a call that does not block its thread requires a strategy without nesting_guard; the guard "
                  "detects nested calls on the calling thread's stack. Share one quota instead: anew::shared<>");
  }

  ANEW_INLINE next_step begin() {
    if (stop_.requested) [[unlikely]]
      return step_;
    if constexpr (!PureInitialToken<S>) {
      if (now_.token.delay() > duration::zero()) return plan_wait(now_.token.delay());
    }
    return enter();
  }

  ANEW_INLINE next_step on_success() {
    step_ = next_step::finished;
    auto token = std::move(now_.token);
    detail::succeeded(*strategy_, report_, std::move(token), attempts_);
    return step_;
  }

  template <class Op, class R>
  next_step on_outcome(Op& operation, R const& result) {
    ending over{*this};
    auto const verdict = detail::judge<Op>(*strategy_, result);
    if (is_success_verdict(verdict)) return over.succeed();
    auto call = call_with(operation);
    return over.follow(detail::value_failed(call, now_, result, verdict, attempts_));
  }

  template <class Op>
  next_step on_verdict(Op& operation, directive const& verdict) {
    if (verdict.is_success()) return on_success();
    if (stop_.requested) return finish(stop_reason::cancelled);
    ending over{*this};
    auto call = call_with(operation);
    return over.follow(detail::decide_on(call, now_, verdict, attempts_, keeps_nothing{}));
  }

  template <class Op, class E>
  next_step on_error(Op& operation, E const& error) {
    if (stop_.requested) return finish(stop_reason::cancelled);
    ending over{*this};
    auto const verdict = classifier_of(*strategy_).classify(error);
    auto call = call_with(operation);
    return over.follow(detail::decide_on(call, now_, verdict, attempts_, keeps_nothing{}));
  }

#if ANEW_EXCEPTIONS
  template <class Op>
  ANEW_COLD next_step on_exception(Op& operation, std::exception_ptr const& thrown) {
    using catches = typename catches_of<classifier_type_of<S>>::type;
    ending over{*this};
    auto call = call_with(operation);
    bool again = false;
    detail::guarded<catches>(
        [&] {
          std::rethrow_exception(thrown);
          return 0;
        },
        [&](auto const& error) {
          again = detail::exception_failed(call, now_, error, attempts_);
          return true;
        },
        [] { return 0; });
    return over.follow(again);
  }
#endif

  template <class Op>
  next_step on_attempt_timeout(Op& operation) {
    if constexpr (ClassifierOf<classifier_type_of<S>, std::error_code>) {
      auto const late = std::make_error_code(std::errc::timed_out);
      bool reads = true;
      if constexpr (requires { strategy_->classifier().can_read(late); })
        reads = strategy_->classifier().can_read(late);
      if (reads) return on_error(operation, late);
    }
    return on_verdict(operation, directive::retry(failure{error_kind::timeout, retry_safety::maybe, std::nullopt}));
  }

  next_step on_wait_over() {
    if (step_ == next_step::finished) return step_;  // a timer that fires although a stop has ended the call
    if constexpr (WaitsBeforeTheEnd<S>) {
      if (now_.end.reason != stop_reason::succeeded) return finish(now_.end.reason);
    }
    return enter();
  }

  next_step request_stop() {
    if (step_ == next_step::finished) return step_;
    stop_.requested = true;
    return step_ == next_step::attempt ? step_ : finish(stop_reason::cancelled);
  }

  /// An end that is not the strategy's: what was under way comes back with nothing to go on with.
  next_step on_cancelled() { return finish(stop_reason::cancelled); }
  next_step finish(stop_reason reason) {
    ending over{*this};
    detail::end(*strategy_, report_, reason, attempts_);
    return over.follow(false);
  }

  /// The end of a call whose attempt never comes back: what the call holds is given back, and nobody is told.
  void abandon() noexcept { [[maybe_unused]] ending const over{*this}; }

  [[nodiscard]] duration wait() const noexcept { return wait_; }
  [[nodiscard]] time_point wait_ends_at() const { return saturating_add(now_of(*strategy_), wait_); }
  [[nodiscard]] bool is_stopped() const noexcept { return stop_.requested; }
  [[nodiscard]] stop_reason reason() const noexcept { return report_.reason; }
  [[nodiscard]] std::uint32_t attempts() const noexcept { return attempts_; }
  [[nodiscard]] S const& strategy() const noexcept { return *strategy_; }

  [[nodiscard]] ANEW_INLINE attempt::parts current() const {
    attempt::parts parts{};
    detail::set_parts(parts, *strategy_, now_.token, attempts_, now_.previous);
    return parts;
  }

  /// When the driver ends the attempt; never without a composed limit, for a deadline alone interrupts nothing.
  [[nodiscard]] duration attempt_timeout() const {
    if constexpr (HasAttemptTimeout<S>) {
      return attempt{current()}.limit();
    } else {
      return duration::max();
    }
  }

 private:
  /// The end of a call, unless it is told that the call goes on: what throws in between has told nothing.
  class ending {
   public:
    ANEW_INLINE explicit ending(machine& of) noexcept : of_{&of} { of.step_ = next_step::finished; }
    ending(ending const&) = delete;
    ending& operator=(ending const&) = delete;
    ANEW_INLINE ~ending() {
      if (of_ != nullptr) [[maybe_unused]]
        auto const given_back = std::move(of_->now_.token);
    }
    ANEW_INLINE next_step succeed() { return std::exchange(of_, nullptr)->on_success(); }
    next_step follow(bool again) { return again ? std::exchange(of_, nullptr)->go_on() : next_step::finished; }

   private:
    machine* of_;
  };

  template <class Op>
  ANEW_INLINE auto call_with(Op& operation) {
    never_sleeps none;
    return call_of<S, Op, never_sleeps, stop_flag, ending_report>{*strategy_, operation, none, stop_, report_};
  }

  /// The strategy's last question before an attempt, where it has one.
  ANEW_INLINE next_step enter() {
    if constexpr (HasAdmission<S>) {
      auto const [wait, refusal] = earliest_.ask(*strategy_, now_.token);
      if (refusal != stop_reason::succeeded) return finish(refusal);
      if (wait > duration::zero()) return plan_wait(wait);
    }
    attempts_ = saturating_next(attempts_);
    return step_ = next_step::attempt;
  }

  next_step go_on() { return plan_wait(now_.delay()); }
  next_step plan_wait(duration delay) {
    wait_ = test_mode_word().load() != 0 ? duration::zero() : delay;
    return step_ = next_step::wait;
  }

  S const* strategy_;
  upcoming<S> now_;
  duration wait_{};
  ANEW_NO_UNIQUE_ADDRESS std::conditional_t<HasAdmission<S>, earliest, no_earliest> earliest_;
  std::uint32_t attempts_ = 0;
  ending_report report_{};
  stop_flag stop_{};
  next_step step_ = next_step::wait;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
