// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_HEDGE_INTERNAL_ENGINE_HPP
#define ANEW_HEDGE_INTERNAL_ENGINE_HPP

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "anew/drive/internal/before_attempt.hpp"
#include "anew/drive/internal/decide.hpp"
#include "anew/drive/internal/machine.hpp"
#include "anew/hedge/hedge_step.hpp"
#include "anew/hedge/internal/rounds.hpp"
#include "anew/hedge/internal/tokens.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/platform/internal/test_mode.hpp"
#include "anew/value/attempt.hpp"
#include "anew/value/directive.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/stop_reason.hpp"

namespace anew::inline ANEW_ABI::detail {

/// One call with several attempts under way. `hedge_machine` is what a user sees of it.
///
/// When all attempts of a round have failed, the next round begins as a retry does, after the strategy's delay. No attempt
/// begins before the latest time that a server asked for in the call, whichever attempt it said so to.
template <class S, class H>
class hedge_engine {
  using token_type = typename S::token_type;
  static constexpr std::uint32_t most_in_flight = static_cast<std::uint32_t>(H::most_extra) + 1;
  static constexpr bool counts_kinds = std::is_same_v<typename S::counts_type, kind_counts>;

 public:
  hedge_engine(S const& by, H const& hedges) : strategy_{&by}, rounds_{hedges}, call_{by.acquire_initial_token()} {}

  /// Does `work`; where that throws, a classifier or an observer of the user's, the call is over and holds nothing.
  template <class Work>
  hedge_step guard(Work const& work) {
    abandoned_by_throw guarded{this};
    auto const step = work();
    guarded.engine = nullptr;
    return step;
  }

  hedge_step begin() { return finished_ ? over() : enter(deciding::another_of<S>(call_, 0), true); }

  hedge_step on_time() {
    if (finished_) return over();
    if (ending_ != stop_reason::succeeded) return finish(ending_, last_failed_);
    if (has_next_) {
      heard_.not_before = heard_hints{}.not_before;  // it was planned by all of them, and its wait counts as over
      return enter(take_next(), next_opens_round_);
    }
    if (in_flight_ == 0 || !may_hedge()) return {};
    if (auto const rest = rounds_.until_due(*strategy_); rest > duration::zero()) return timer_in(rest);
    rounds_.take_hedge();
    failure const late{error_kind::timeout, retry_safety::yes, std::nullopt};
    auto answer = ask(late, true);
    if (!answer) return no_more_hedges();
    tell_retry(late, answer);
    return go_on(*std::move(answer), false);
  }

  [[nodiscard]] bool is_in_flight(std::uint32_t number) const noexcept { return find(number) != most_in_flight; }

  /// What came of an attempt that is in flight.
  hedge_step on_verdict(std::uint32_t number, directive const& verdict) {
    auto const at = find(number);
    if (at == most_in_flight) return late();
    if (verdict.is_success()) return won(at);
    if (stop_.requested) return stopped(at);
    return failed(at, verdict);
  }

  hedge_step request_stop() {
    if (finished_) return over();
    stop_.requested = true;
    if (in_flight_ == 0) return finish(stop_reason::cancelled, last_failed_);
    drop_next();
    return timer_off();
  }

  /// The end of the call, of which nobody is told.
  void give_back_all() noexcept {
    finished_ = true;
    for (auto& made : made_) made = {};
    in_flight_ = 0;
    drop_next();
    call_ = deciding::no_token<S>();
  }

  [[nodiscard]] attempt::parts current() const {
    attempt::parts parts{};
    detail::set_parts(parts, *strategy_, call_, attempts_, previous_);
    return parts;
  }

  [[nodiscard]] hedge_step late() const noexcept { return finished_ ? over() : hedge_step{}; }
  [[nodiscard]] bool is_stopped() const noexcept { return stop_.requested; }
  [[nodiscard]] bool is_finished() const noexcept { return finished_; }
  [[nodiscard]] stop_reason reason() const noexcept { return report_.reason; }
  [[nodiscard]] std::uint32_t attempts() const noexcept { return attempts_; }
  [[nodiscard]] std::uint32_t in_flight() const noexcept { return in_flight_; }
  [[nodiscard]] S const& strategy() const noexcept { return *strategy_; }

 private:
  struct abandoned_by_throw {
    hedge_engine* engine;
    explicit abandoned_by_throw(hedge_engine* one) noexcept : engine{one} {}
    abandoned_by_throw(abandoned_by_throw const&) = delete;
    abandoned_by_throw& operator=(abandoned_by_throw const&) = delete;
    ~abandoned_by_throw() {
      if (engine != nullptr) engine->give_back_all();
    }
  };

  struct made_attempt {
    std::uint32_t number = 0;  // 0: none
    token_type token = deciding::no_token<S>();
  };

  [[nodiscard]] std::uint32_t find(std::uint32_t number) const noexcept {
    std::uint32_t at = 0;
    while (at != most_in_flight && made_[at].number != number) ++at;
    return number != 0 ? at : most_in_flight;
  }
  [[nodiscard]] token_type take(std::uint32_t at) noexcept {
    made_[at].number = 0;
    --in_flight_;
    return std::exchange(made_[at].token, deciding::no_token<S>());
  }
  [[nodiscard]] token_type take_next() noexcept {
    has_next_ = false;
    return std::exchange(next_, deciding::no_token<S>());
  }
  void drop_next() noexcept { [[maybe_unused]] auto const given_back = take_next(); }
  [[nodiscard]] bool may_hedge() const noexcept { return rounds_.has_hedges() && hedges_ && !stop_.requested; }

  [[nodiscard]] hedge_step over() const noexcept {
    return {.finished = true, .result_of = result_of_, .timer = hedge_timer::cancel};
  }
  static constexpr hedge_step timer_off() noexcept { return {.timer = hedge_timer::cancel}; }
  static constexpr hedge_step timer_in(duration after) noexcept { return {.timer = hedge_timer::set, .after = after}; }
  static hedge_step wait_for(duration delay) {
    return timer_in(test_mode_word().load() != 0 ? duration::zero() : delay);
  }

  /// The strategy is asked; what it refuses leaves everything as it was.
  [[nodiscard]] refreshed<token_type> ask(failure const& what, bool at_once) {
    auto const most = test_mode_word().load();
    if (most != 0 && attempts_ >= most) return stop_reason::attempts;
    previous_ = what.kind;
    return detail::token_of_another(*strategy_, call_, progress_after(what), what, heard_, at_once);
  }
  void remember(failure const& what) {
    if (what.hint) detail::remember_hint(*strategy_, call_, progress_after(what), what, heard_);
  }
  [[nodiscard]] call_progress progress_after(failure const& what) const noexcept {
    call_progress progress{attempts_, what.kind, {}};
    if constexpr (counts_kinds) {
      progress.counts = counts_;
      for (auto late = in_flight_; late != 0; --late)
        progress.counts.add(error_kind::timeout);  // or hedges had no limit
    }
    return progress;
  }

  hedge_step go_on(token_type&& next, bool opens_round) {
    auto const delay = next.delay();
    return delay > duration::zero() ? hold(std::move(next), opens_round, delay) : enter(std::move(next), opens_round);
  }

  /// The strategy's last question before an attempt, where it has one.
  hedge_step enter(token_type&& next, bool opens_round) {
    if constexpr (HasAdmission<S>) {
      auto const [wait, refusal] = earliest_.ask(*strategy_, next);
      if (refusal != stop_reason::succeeded) {
        return in_flight_ != 0 ? no_more_hedges() : finish(refusal, last_failed_);
      }
      if (wait > duration::zero()) return hold(std::move(next), opens_round, wait);
    }
    return start(std::move(next), opens_round);
  }

  hedge_step hold(token_type&& next, bool opens_round, duration delay) {
    next_ = std::move(next);
    has_next_ = true;
    next_opens_round_ = opens_round;
    return wait_for(delay);
  }

  hedge_step start(token_type&& token, bool opens_round) {
    attempts_ = saturating_next(attempts_);
    std::uint32_t at = 0;
    while (made_[at].number != 0) ++at;  // one is free: a round has no more than most_extra hedges
    made_[at].number = attempts_;
    made_[at].token = std::move(token);
    ++in_flight_;
    if (opens_round) rounds_.begin(*strategy_, attempts_);
    if (!may_hedge()) return {.start = attempts_, .timer = hedge_timer::cancel};
    return {.start = attempts_, .timer = hedge_timer::set, .after = rounds_.delay()};
  }

  /// What is refused is the additional attempt, not those in flight.
  hedge_step no_more_hedges() noexcept {
    rounds_.drop_hedges();
    return timer_off();
  }

  hedge_step won(std::uint32_t at) {
    auto const number = made_[at].number;
    rounds_.succeeded(*strategy_, number);
    strategy_->record_success(take(at));
    lose_others();
    if (detail::needs_events(*strategy_)) detail::tell_attempt(*strategy_, number, directive::succeed(), true);
    return finish(stop_reason::succeeded, number);
  }

  hedge_step stopped(std::uint32_t at) {
    last_failed_ = made_[at].number;
    {
      [[maybe_unused]] auto const given_back = take(at);
    }
    return in_flight_ == 0 ? finish(stop_reason::cancelled, last_failed_) : hedge_step{};
  }

  hedge_step failed(std::uint32_t at, directive const& verdict) {
    auto const& what = verdict.what();
    auto const number = last_failed_ = made_[at].number;
    if constexpr (counts_kinds) counts_.add(what.kind);
    rounds_.failed(number);
    {
      auto settled = take(at);
      deciding::settle_failed(*strategy_, settled, what, deciding::now_if_needed(*strategy_));
    }

    if (what.safety == retry_safety::no) {
      lose_others();
      detail::tell_attempt(*strategy_, number, verdict, true);
      return finish(verdict.is_unclassified() ? stop_reason::unclassified : stop_reason::not_retryable, number);
    }
    bool const forbids = is_forbidden_by(strategy_->hint(), what.hint);
    if (forbids || what.hint) push_back(forbids);
    bool const others = in_flight_ != 0;
    if (is_refused_ && !others) {
      detail::tell_attempt(*strategy_, number, verdict, true);
      return finish(stop_reason::not_retryable, number);
    }
    if (has_next_ || (others && !may_hedge())) {
      remember(what);
      detail::tell_attempt(*strategy_, number, verdict, false);
      return has_next_ ? hedge_step{} : timer_off();
    }

    // Alone and without a hedge left, it is a retry as any other, with its delay.
    bool const is_hedge = may_hedge() && (others || !what.hint);
    if (is_hedge) rounds_.take_hedge();
    auto answer = ask(what, is_hedge && !what.hint);
    detail::tell_attempt(*strategy_, number, verdict, !answer && !others);
    if (!answer) {
      if (others) {
        remember(what);
        return no_more_hedges();
      }
      if constexpr (WaitsBeforeTheEnd<S>) {
        if (answer.wait_before_end() > duration::zero()) {
          ending_ = answer.reason();
          return wait_for(answer.wait_before_end());
        }
      }
      return finish(answer.reason(), number);
    }
    if (what.hint) heard_.add(*what.hint, answer->delay(), answer.origin(), strategy_->now());
    tell_retry(what, answer);
    return go_on(*std::move(answer), !is_hedge);
  }

  /// The server said when it wants to be asked again, or that it does not: what was planned before does not hold.
  void push_back(bool forbids) {
    is_refused_ = is_refused_ || forbids;
    if (is_refused_ || rounds_.ends_when_pushed_back()) hedges_ = false;
    if (!has_next_) return;
    drop_next();
    earliest_ = {};
    rounds_.give_back_hedge();  // it was a hedge: a round that waits to begin has nothing in flight that could fail
  }

  void tell_retry([[maybe_unused]] failure const& what, [[maybe_unused]] refreshed<token_type> const& answer) {
    if constexpr (HasObserver<S>) {
      if constexpr (requires(retry_event const& e) { strategy_->observer().on_retry(e); }) {
        strategy_->observer().on_retry(retry_event{saturating_next(attempts_), what, answer->delay(), answer.origin()});
      }
    }
  }

  void lose_others() {
    for (std::uint32_t at = 0; at != most_in_flight; ++at) {
      if (made_[at].number != 0) deciding::settle_lost(*strategy_, take(at));
    }
  }

  hedge_step finish(stop_reason reason, std::uint32_t result_of) {
    give_back_all();
    result_of_ = result_of;
    detail::end(*strategy_, report_, reason, attempts_);
    return over();
  }

  S const* strategy_;
  rounds<S, H> rounds_;
  token_type call_;
  made_attempt made_[most_in_flight];
  token_type next_ = deciding::no_token<S>();  ///< decided on, and waiting for its time
  ANEW_NO_UNIQUE_ADDRESS std::conditional_t<HasAdmission<S>, earliest, no_earliest> earliest_;
  ANEW_NO_UNIQUE_ADDRESS typename S::counts_type counts_;
  std::uint32_t attempts_ = 0;
  std::uint32_t in_flight_ = 0;
  std::uint32_t last_failed_ = 0;
  std::uint32_t result_of_ = 0;
  ending_report report_{};
  heard_hints heard_{};
  stop_reason ending_ = stop_reason::succeeded;  ///< else how the call ends after its last wait
  error_kind previous_ = error_kind::client;
  stop_flag stop_{};
  bool hedges_ = true;       ///< false once the server asked for none
  bool is_refused_ = false;  ///< the server asked for no further attempt
  bool has_next_ = false;
  bool next_opens_round_ = false;
  bool finished_ = false;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
