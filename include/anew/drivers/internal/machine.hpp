// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_MACHINE_HPP
#define ANEW_DRIVERS_INTERNAL_MACHINE_HPP

#include <cstdint>
#include <exception>
#include <system_error>
#include <type_traits>
#include <utility>

#include "anew/base/attempt.hpp"
#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/process_wide.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/drivers/internal/before_attempt.hpp"
#include "anew/drivers/internal/decide.hpp"
#include "anew/drivers/internal/explain_call.hpp"
#include "anew/drivers/internal/guarded.hpp"
#include "anew/drivers/internal/observed.hpp"
#include "anew/drivers/internal/read_result.hpp"
#include "anew/drivers/internal/result_slot.hpp"
#include "anew/drivers/internal/stop.hpp"
#include "anew/drivers/next_step.hpp"
#include "anew/roles/attempt_timeout.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/internal/error_members.hpp"
#include "anew/roles/retry_strategy.hpp"
#include "anew/strategy/internal/explain.hpp"

namespace anew::inline ANEW_ABI::detail {

/// One call as a state machine: what `retry_loop` does, turned inside out. With `Self`, a class derived from it
/// that replaces some of its functions, it is a call that may have several attempts under way, and returns a `Step`.
///
/// `which` identifies the attempt being reported. For one attempt at a time it is the operation, which is asked
/// for its declarations and its rewinding, never called; for several it is a number.
///
/// It is finished before it asks a classifier or notifies an observer, and goes on only when they return: an exception
/// of either ends the call. Permits, passes and tickets are returned when the call ends, however long the machine
/// lives.
template <class S, class Step = next_step, class Self = void>
class machine : protected call_state<S, typename report_for<S, ending_report>::type> {
  using state = call_state<S, typename report_for<S, ending_report>::type>;

 public:
  using strategy_type = S;

  ANEW_INLINE explicit machine(S const& by, char const* operation = nullptr)
      : machine{by, lazy_now<S>{by}, operation} {}

  ANEW_INLINE Step begin() {
    if (is_finished()) [[unlikely]]
      return self().unchanged();
    if constexpr (!PureInitialToken<S>) {
      duration first = now_.token.delay();
      if constexpr (requires { strategy_->wait_before_first(now_.token); }) {
        first = strategy_->wait_before_first(now_.token);
      }
      if (first > duration::zero()) return plan_wait(first);
    }
    return enter(lazy_now<S>{*strategy_});
  }

  template <class... Which>
  ANEW_INLINE next_step on_success(Which const&... /*which*/) {
    step_ = next_step::finished;
    state::succeed(*strategy_);
    return step_;
  }

  template <class Which, class R>
  Step on_outcome(Which& which, R const& result) {
    if (!self().is_in_flight(which)) return self().unchanged();
    ending over{self()};
    auto const verdict = detail::judge<Which>(*strategy_, result);
    if (is_success_verdict(verdict)) return over.succeed(which);
    auto const read = detail::explain_failure<Which>(*strategy_, result, verdict);
    if (is_stopped_ && !read.is_success()) return over.follow(self().stopped(which));
    if constexpr (FollowsEachCall<S>) {
      if (!read.is_success()) detail::tell_failed(*strategy_, report_, result);
    }
    return over.follow(self().failed(which, detail::unless_used_up(which, result, read)));
  }

  /// `error`: the one that the verdict is on, for the observer.
  template <class Which, class... Error>
  Step on_verdict(Which& which, directive const& verdict, Error const&... error) {
    if (verdict.is_success()) return self().on_success(which);
    if (!self().is_in_flight(which)) return self().unchanged();
    ending over{self()};
    if (is_stopped_) return over.follow(self().stopped(which));
    if constexpr (FollowsEachCall<S>) {
      (detail::tell_error(*strategy_, report_, error), ...);
    }
    return over.follow(self().failed(which, verdict));
  }

  /// `outcome`: what the attempt completed with beside the error.
  template <class Which, class E, class... Outcome>
  Step on_error(Which& which, E const& error, Outcome const&... outcome) {
    if (!self().is_in_flight(which)) return self().unchanged();
    ending over{self()};
    auto const read = classifier_of(*strategy_).classify(error);
    if (is_stopped_ && !read.is_success()) return over.follow(self().stopped(which));
    if constexpr (FollowsEachCall<S>) {
      if (!read.is_success()) detail::tell_error(*strategy_, report_, error);
    }
    return over.follow(self().failed(which, detail::unless_used_up(which, outcome..., read)));
  }

#if ANEW_EXCEPTIONS
  ANEW_COLD Step on_exception(auto& which, std::exception_ptr const& thrown) {
    if (!self().is_in_flight(which)) return self().unchanged();
    ending over{self()};
    Step next{};
    detail::guarded<typename catches_of<classifier_type_of<S>>::type>(
        [&] {
          std::rethrow_exception(thrown);
          return 0;
        },
        [&](auto const& error) {
          if (is_stopped_) {
            next = self().stopped(which);
          } else {
            auto const read = detail::judge_exception(*strategy_, error);
            if constexpr (FollowsEachCall<S>) detail::tell_error(*strategy_, report_, error);
            next = self().failed(which, detail::unless_used_up(which, error, read));
          }
          return true;
        },
        [] { return 0; });
    return over.follow(next);
  }
#endif

  /// The same for an attempt that its limit ended: whatever its error, it is a time-out.
  template <class Op, class Which, class R>
  Step on_late_outcome(Which& which, R const& result) {
    if (is_success_verdict(detail::judge<Op>(*strategy_, result))) return self().on_success(which);
    return on_attempt_timeout(which, result);
  }

  template <class Which, class... Outcome>
  Step on_attempt_timeout(Which& which, Outcome const&... outcome) {
    if (self().in_flight() == 0) return self().unchanged();  // a timer that fires although the attempt has ended
    now_.note_timeout(*strategy_);
    if constexpr (requires { strategy_->judge_late(); })
      return strategy_->tell(*this, on_verdict(which, strategy_->judge_late()));
    if constexpr (ClassifierOf<classifier_type_of<S>, std::error_code>) {
      auto const late = std::make_error_code(std::errc::timed_out);
      bool reads = true;
      if constexpr (requires { strategy_->classifier().can_read(late); })
        reads = strategy_->classifier().can_read(late);
      if (reads) return on_error(which, late, outcome...);
    }
    auto const read = directive::retry(failure{error_kind::timeout, retry_safety::maybe, std::nullopt});
    return on_verdict(which, detail::unless_used_up(which, outcome..., read));
  }

  Step on_wait_over() {
    if (is_finished()) return self().unchanged();  // a timer that fires although a stop has ended the call
    if (auto const why = state::last_wait_ends(); why != stop_reason::succeeded) return finish(why);
    return enter(lazy_now<S>{*strategy_});
  }

  Step request_stop() {
    if (is_finished()) return self().unchanged();
    is_stopped_ = true;
    return self().in_flight() != 0 ? self().plans_nothing() : finish(stop_reason::cancelled);
  }

  /// Ends the call from outside: an attempt under way completes, and none follows.
  template <class... Which>
  Step on_cancelled(Which const&... /*which*/) {
    return finish(stop_reason::cancelled);
  }
  Step finish(stop_reason reason) {
    ending const over{self()};
    return end(reason);
  }

  /// Ends a call whose attempts do not all complete: returns permits, passes and tickets, and notifies no observer.
  void abandon() noexcept { [[maybe_unused]] ending const over{self()}; }

  [[nodiscard]] duration wait() const noexcept { return wait_; }
  [[nodiscard]] time_point wait_ends_at() const { return saturating_add(now_of(*strategy_), wait_); }
  [[nodiscard]] bool is_stopped() const noexcept { return is_stopped_; }
  [[nodiscard]] bool is_finished() const noexcept { return step_ == next_step::finished; }
  [[nodiscard]] stop_reason reason() const noexcept { return state::report_.reason; }
  using state::attempts;
  [[nodiscard]] S const& strategy() const noexcept { return *strategy_; }

  /// The parts of the attempt that was started last.
  [[nodiscard]] ANEW_INLINE attempt::parts current() const {
    attempt::parts parts{};
    lazy_now<S> began{*strategy_};
    state::set_parts(parts, *strategy_, began);
    return parts;
  }

  /// When the driver must end the attempt; never without an attempt timeout, for a deadline alone interrupts nothing.
  [[nodiscard]] duration attempt_timeout() const {
    if constexpr (HasAttemptTimeout<S>) {
      attempt const now{current()};
      if (now.composed_limit() != duration::max()) return now.limit();
    }
    return duration::max();
  }

 protected:
  using self_type = std::conditional_t<std::is_void_v<Self>, machine, Self>;

  /// Ends the call on scope exit unless the call goes on, so that an exception in between ends it.
  class ending {
   public:
    ANEW_INLINE explicit ending(self_type& of) noexcept : of_{&of} { of.step_ = next_step::finished; }
    ending(ending const&) = delete;
    ending& operator=(ending const&) = delete;
    ANEW_INLINE ~ending() {
      if (of_ != nullptr) of_->give_back();
    }
    ANEW_INLINE Step succeed(auto& which) { return std::exchange(of_, nullptr)->on_success(which); }
    Step follow(Step next) {
      if (!of_->is_finished()) of_ = nullptr;
      return next;
    }

   private:
    self_type* of_;
  };

  /// Requires an `ending`.
  Step end(stop_reason reason) {
    state::end(*strategy_, reason);
    return self().unchanged();
  }

  /// Asks the strategy for the last time before an attempt, where it must be asked.
  ANEW_INLINE Step enter(lazy_now<S> began) {
    auto const [wait, refusal] = state::enter(*strategy_, self().next_token(), began);
    if (refusal != stop_reason::succeeded) return self().refused(refusal);
    if (wait > duration::zero()) return plan_wait(wait);
    step_ = next_step::attempt;
    if constexpr (FollowsEachCall<S>) {
      ending over{self()};
      detail::tell_begin(*strategy_, report_, attempts_);
      step_ = next_step::attempt;
      return over.follow(self().started());
    }
    return self().started();
  }

  Step plan_wait(duration delay) {
    wait_ = test_mode_word().load() != 0 ? duration::zero() : delay;
    step_ = next_step::wait;
    return self().waits();
  }

  // A call with several attempts replaces these functions, `on_success` and `on_cancelled`.
  [[nodiscard]] static constexpr bool is_in_flight(auto const& /*which*/) noexcept { return true; }
  [[nodiscard]] bool in_flight() const noexcept { return step_ == next_step::attempt; }
  [[nodiscard]] typename S::token_type& next_token() noexcept { return now_.token; }
  [[nodiscard]] next_step unchanged() const noexcept { return step_; }
  [[nodiscard]] next_step waits() const noexcept { return step_; }
  [[nodiscard]] next_step started() const noexcept { return step_; }
  [[nodiscard]] next_step plans_nothing() const noexcept { return step_; }
  next_step refused(stop_reason reason) { return finish(reason); }
  next_step stopped(auto const& /*which*/) { return end(stop_reason::cancelled); }
  ANEW_INLINE next_step failed(auto& operation, directive const& verdict) {
    return state::fail(*strategy_, operation, verdict) ? plan_wait(now_.delay()) : step_;
  }
  ANEW_INLINE void give_back() noexcept { [[maybe_unused]] auto const given_back = std::move(now_.token); }

  using state::attempts_;
  using state::now_;
  using state::report_;
  bool is_stopped_ = false;  // first: these two lie in the tail of the base
  next_step step_ = next_step::wait;
  S const* strategy_;
  duration wait_{};

 private:
  ANEW_INLINE machine(S const& by, lazy_now<S> began, char const* operation)
      : state{[&]() ANEW_INLINE_LAMBDA { return detail::begin_call(by, began); }, 0,
              detail::begin_report<ending_report>(by, operation)},
        strategy_{&by} {}

  [[nodiscard]] ANEW_INLINE self_type& self() noexcept { return static_cast<self_type&>(*this); }
};

/// Explains an error that a loop of its user's own reports and the classifier cannot read.
template <class S, class E>
consteval bool explain_machine_error() {
  using C = classifier_type_of<S>;
  if constexpr (!error_functions_are_callable<E>) {
    return detail::explain_error<E>();
  } else {
    static_assert(
        classifier_reads_error<C, E>,
        "call.on_error(error) requires a classifier that reads this type; the strategy's classifier does not. Compose "
        "anew::retry_if<Predicate> or anew::retry_all, or classify the error yourself: call.on_verdict(directive)");
    return classifier_reads_error<C, E>;
  }
}

/// Replaces the machine of a strategy that is already explained to be wrong, so that the explanation is the only error. No
/// program makes one.
template <class Machine>
struct inert_machine : Machine {
  explicit inert_machine(auto const&... anything);
};

template <class S, bool IsSound>
struct machine_if : std::type_identity<machine<S>> {};
template <class S>
struct machine_if<S, false> : std::type_identity<inert_machine<machine<ill_formed_strategy>>> {};

}  // namespace anew::inline ANEW_ABI::detail

#endif
