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
#include "anew/drive/internal/decide.hpp"
#include "anew/drive/internal/guarded.hpp"
#include "anew/drive/next_step.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/attempt.hpp"
#include "anew/value/directive.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/stop_reason.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// How a machine's call ended, in the form in which the functions of decide.hpp tell it.
struct ending_report {
  static constexpr bool is_wanted = true;
  stop_reason reason = stop_reason::cancelled;  // what a call is that nobody leads to its end
  bool operation_threw = false;

  static void failed(failure const& /*what*/) noexcept {}
  template <class... Error>
  static void keep(std::uint32_t /*attempt*/, failure const& /*what*/, Error const&... /*error*/) noexcept {}
  void ended(stop_reason why, std::uint32_t /*attempts*/) noexcept { reason = why; }
};

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

/// When a wait that a gate or a pacer asked for is over, at the earliest.
struct earliest {
  time_point value = time_point::min();
};
struct no_earliest {};

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
    return over.follow(detail::value_failed(*strategy_, operation, stop_, report_, now_, result, verdict, attempts_));
  }

  template <class Op>
  next_step on_verdict(Op& operation, directive const& verdict) {
    if (verdict.is_success()) return on_success();
    if (stop_.requested) return finish(stop_reason::cancelled);
    ending over{*this};
    return over.follow(detail::decide_on(*strategy_, operation, report_, now_, verdict, attempts_, keeps_nothing{}));
  }

  template <class Op, class E>
  next_step on_error(Op& operation, E const& error) {
    if (stop_.requested) return finish(stop_reason::cancelled);
    ending over{*this};
    auto const verdict = classifier_of(*strategy_).classify(error);
    return over.follow(detail::decide_on(*strategy_, operation, report_, now_, verdict, attempts_, keeps_nothing{}));
  }

#if ANEW_EXCEPTIONS
  template <class Op>
  ANEW_COLD next_step on_exception(Op& operation, std::exception_ptr const& thrown) {
    using catches = typename catches_of<classifier_type_of<S>>::type;
    ending over{*this};
    bool again = false;
    detail::guarded<catches>(
        [&] {
          std::rethrow_exception(thrown);
          return 0;
        },
        [&](auto const& error) {
          again = detail::exception_failed(*strategy_, operation, stop_, report_, now_, error, attempts_);
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
  [[nodiscard]] time_point next_deadline() const { return saturating_add(now_of(*strategy_), wait_); }
  [[nodiscard]] bool is_stopped() const noexcept { return stop_.requested; }
  [[nodiscard]] stop_reason reason() const noexcept { return report_.reason; }
  [[nodiscard]] std::uint32_t attempts() const noexcept { return attempts_; }
  [[nodiscard]] S const& strategy() const noexcept { return *strategy_; }

  [[nodiscard]] ANEW_INLINE attempt::parts current() const {
    attempt::parts parts{};
    parts.number = attempts_;
    if (attempts_ > 1) parts.previous = now_.previous;
    if constexpr (HasDeadline<S>) {
      parts.deadline = now_.token.deadline();
      parts.began = now_of(*strategy_);
    }
    if constexpr (HasAttemptTimeout<S>) parts.limit = strategy_->attempt_timeout().of(attempt{parts}.remaining());
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

  /// The strategy's last question before an attempt, where it has one.
  ANEW_INLINE next_step enter() {
    if constexpr (HasAdmission<S>) {
      bool asks = true;
      if constexpr (requires { strategy_->needs_admission(); }) asks = strategy_->needs_admission();
      if (asks) {
        // A caller that does not wait must not make this a hot loop: what was asked for counts as passed.
        auto const now = larger(now_of(*strategy_), earliest_.value);
        auto const [wait, refusal] = strategy_->admit(now_.token, now);
        if (refusal != stop_reason::succeeded) return finish(refusal);
        if (wait > duration::zero()) {
          earliest_.value = saturating_add(now, wait);
          return plan_wait(wait);
        }
        earliest_ = {};
      }
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

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
