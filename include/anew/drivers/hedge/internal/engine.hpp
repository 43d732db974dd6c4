// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_HEDGE_INTERNAL_ENGINE_HPP
#define ANEW_DRIVERS_HEDGE_INTERNAL_ENGINE_HPP

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/drivers/hedge/hedging.hpp"
#include "anew/drivers/hedge/internal/rounds.hpp"
#include "anew/drivers/internal/machine.hpp"
#include "anew/drivers/internal/observed.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Adds to the machine a place for each of several attempts under way, and the hedges. `hedge_machine` is its public
/// face. The machine's own token stands for no attempt: it keeps the deadline and the jitter's state.
///
/// When all attempts of a round have failed, the next round begins as a retry does, after the strategy's delay. No attempt
/// begins before the latest time that a server asked for in the call, whichever attempt it said so to.
template <class S, class H>
class hedge_engine : public machine<S, hedge_step, hedge_engine<S, H>> {
  using base = machine<S, hedge_step, hedge_engine>;
  using typename base::ending;
  using token_type = typename S::token_type;
  static constexpr std::uint32_t most_in_flight = static_cast<std::uint32_t>(H::most_extra) + 1;
  static constexpr bool counts_kinds = std::is_same_v<typename S::counts_type, kind_counts>;
  friend base;

 public:
  hedge_engine(S const& by, H const& hedges, char const* operation = nullptr)
      : base{by, operation}, rounds_{hedges}, next_{deciding::another_of<S>(now_.token, 0)} {}

  hedge_step on_time() {
    if (has_next_ || in_flight_ == 0) {
      heard_.not_before = heard_hints{}.not_before;  // the plan accounts for every hint
      return this->on_wait_over();
    }
    if (!may_hedge()) return {};
    if (auto const rest = rounds_.until_due(*strategy_); rest > duration::zero()) return timer_in(rest);
    ending over{*this};
    --rounds_.left;
    failure const late{error_kind::timeout, retry_safety::yes, std::nullopt};
    auto const answer = ask(late, true);
    return over.follow(answer ? go_on(late, answer.origin, false) : no_more_hedges());
  }

  hedge_step on_success(std::uint32_t number) {
    auto const at = find(number);
    if (at == most_in_flight) return unchanged();
    ending const over{*this};
    result_of_ = number;
    rounds_.succeeded(*strategy_, number);
    strategy_->record_success(take(at));
    lose_others();
    if (detail::needs_events(*strategy_)) tell(number, directive::succeed(), true);
    return this->end(stop_reason::succeeded);
  }

  /// Cancelling one attempt cancels the call: what it holds is refunded, and nothing is spent.
  hedge_step on_cancelled(std::uint32_t number) {
    static_cast<void>(this->request_stop());
    auto step = this->on_verdict(number, directive::fail());
    step.timer = hedge_timer::cancel;
    return step;
  }

  [[nodiscard]] bool is_in_flight(std::uint32_t number) const noexcept { return find(number) != most_in_flight; }
  [[nodiscard]] std::uint32_t in_flight() const noexcept { return in_flight_; }

 private:
  using base::attempts_, base::now_, base::report_, base::step_, base::strategy_;

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
  [[nodiscard]] bool may_hedge() const noexcept { return rounds_.left != 0 && hedges_ && !this->is_stopped(); }

  // The machine asks these questions.
  [[nodiscard]] hedge_step unchanged() const noexcept {
    if (!this->is_finished()) return {};
    return {.finished = true, .result_of = result_of_, .timer = hedge_timer::cancel};
  }
  [[nodiscard]] hedge_step waits() const noexcept { return timer_in(this->wait()); }
  [[nodiscard]] token_type& next_token() noexcept { return next_; }
  hedge_step plans_nothing() noexcept {
    drop_next();
    return timer_off();
  }
  /// Refuses the additional attempt, not those in flight.
  hedge_step refused(stop_reason reason) {
    drop_next();
    return in_flight_ != 0 ? no_more_hedges() : this->finish(reason);
  }
  hedge_step started() {
    std::uint32_t at = 0;
    while (made_[at].number != 0) ++at;  // one is free: a round has no more than most_extra hedges
    made_[at] = {attempts_, std::exchange(next_, deciding::no_token<S>())};
    has_next_ = false;
    ++in_flight_;
    if (next_opens_round_) rounds_.begin(*strategy_, attempts_);
    if (!may_hedge()) return {.start = attempts_, .timer = hedge_timer::cancel};
    return {.start = attempts_, .timer = hedge_timer::set, .after = rounds_.delay()};
  }
  hedge_step stopped(std::uint32_t number) {
    result_of_ = number;
    [[maybe_unused]] auto const given_back = take(find(number));
    return in_flight_ == 0 ? this->end(stop_reason::cancelled) : goes_on({});
  }
  void give_back() noexcept {
    for (auto& made : made_) made = {};
    in_flight_ = 0;
    drop_next();
    now_.token = deciding::no_token<S>();
  }

  hedge_step goes_on(hedge_step step) noexcept {
    step_ = next_step::attempt;
    return step;
  }
  hedge_step timer_off() noexcept { return goes_on({.timer = hedge_timer::cancel}); }
  static constexpr hedge_step timer_in(duration after) noexcept { return {.timer = hedge_timer::set, .after = after}; }
  hedge_step no_more_hedges() noexcept {
    rounds_.left = 0;
    return timer_off();
  }

  void drop_next() noexcept {
    has_next_ = false;
    next_ = deciding::no_token<S>();
  }

  /// The strategy is asked; what it refuses leaves everything as it was.
  [[nodiscard]] decision ask(failure const& what, bool at_once) {
    auto const most = test_mode_word().load();
    if (most != 0 && attempts_ >= most) return {stop_reason::attempts};
    now_.previous = what.kind;
    next_ = deciding::another_of<S>(now_.token, attempts_);
    return deciding::grant(*strategy_, next_, now_.token, attempts_, progress_after(what), what,
                           lazy_now<S>{*strategy_}, beside_others<S>{*strategy_, heard_, at_once});
  }
  /// Keeps the hint of a failure that no attempt is planned after.
  void remember(failure const& what) {
    if (!what.hint) return;
    duration delay{};
    auto origin = delay_origin::backoff;
    if (deciding::plan_apart(*strategy_, now_.token, delay, origin, progress_after(what), what)) {
      heard_.add(*what.hint, delay, origin, strategy_->now());
    } else {
      heard_.too_long = true;
    }
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

  void tell(std::uint32_t number, directive const& verdict, bool is_final) {
    told_at<S> now{*strategy_};
    detail::tell_attempt(*strategy_, report_, number, verdict, is_final, now);
  }
  hedge_step go_on(failure const& what, delay_origin origin, bool opens_round) {
    has_next_ = true;
    next_opens_round_ = opens_round;
    auto const delay = next_.delay();
    if constexpr (HasObserver<S>) {
      if constexpr (HearsRetries<observer_of<S>>) {
        told_at<S> now{*strategy_};
        detail::tell_retry(*strategy_, report_, saturating_next(attempts_), what, delay, origin, now);
      }
    }
    return delay > duration::zero() ? this->plan_wait(delay) : this->enter(lazy_now<S>{*strategy_});
  }

  hedge_step failed(std::uint32_t number, directive const& verdict) {
    if (verdict.is_success()) [[unlikely]]
      return on_success(number);  // an error that the classifier takes for a success
    auto const& what = verdict.what();
    if (what.kind == error_kind::timeout) now_.note_timeout(*strategy_);
    result_of_ = number;
    if constexpr (counts_kinds) counts_.add(what.kind);
    rounds_.failed(number);
    {
      auto settled = take(find(number));
      deciding::settle_failed(*strategy_, settled, what, lazy_now<S>{*strategy_});
    }

    if (what.safety == retry_safety::no) {
      lose_others();
      tell(number, verdict, true);
      return end_failed(verdict.is_unclassified() ? stop_reason::unclassified : stop_reason::not_retryable);
    }
    bool const forbids = is_forbidden_by(strategy_->hint(), what.hint);
    if (forbids || what.hint) push_back(forbids);
    bool const others = in_flight_ != 0;
    if (is_refused_ && !others) {
      tell(number, verdict, true);
      return this->end(stop_reason::not_retryable);
    }
    if (has_next_ || (others && !may_hedge())) {
      remember(what);
      tell(number, verdict, false);
      return has_next_ ? goes_on({}) : timer_off();
    }

    // Alone and without a hedge left, it is a retry as any other, with its delay.
    bool const is_hedge = may_hedge() && (others || !what.hint);
    if (is_hedge) --rounds_.left;
    auto const answer = ask(what, is_hedge && !what.hint);
    tell(number, verdict, !answer && !others);
    if (answer) {
      if (what.hint) heard_.add(*what.hint, next_.delay(), answer.origin, strategy_->now());
      return go_on(what, answer.origin, !is_hedge);
    }
    if (others) {
      remember(what);
      return no_more_hedges();
    }
    if constexpr (WaitsBeforeTheEnd<S>) {
      if (answer.wait_before_end > duration::zero()) {
        now_.end.reason = answer.refusal;
        return this->plan_wait(answer.wait_before_end);
      }
    }
    return end_failed(answer.refusal);
  }

  hedge_step end_failed(stop_reason reason) { return this->end(now_.is_out_of_time ? stop_reason::deadline : reason); }

  /// The server said when it wants to be asked again, or that it does not: what was planned before does not hold.
  void push_back(bool forbids) {
    is_refused_ = is_refused_ || forbids;
    if (is_refused_ || rounds_.ends_when_pushed_back()) hedges_ = false;
    if (!has_next_) return;
    drop_next();
    this->earliest_ = {};
    ++rounds_.left;  // it was a hedge: a round that waits to begin has nothing in flight that could fail
  }

  void lose_others() {
    for (std::uint32_t at = 0; at != most_in_flight; ++at) {
      if (made_[at].number != 0) deciding::settle_lost(*strategy_, take(at));
    }
  }

  rounds<S, H> rounds_;
  made_attempt made_[most_in_flight];
  token_type next_;  ///< decided on, and waiting for its time
  ANEW_NO_UNIQUE_ADDRESS typename S::counts_type counts_;
  std::uint32_t in_flight_ = 0;
  std::uint32_t result_of_ = 0;  ///< the attempt that succeeded, or failed last
  heard_hints heard_{};
  bool hedges_ = true;       ///< false once the server asked for none
  bool is_refused_ = false;  ///< the server asked for no further attempt
  bool has_next_ = true;
  bool next_opens_round_ = true;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
