// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STRATEGY_BASIC_STRATEGY_HPP
#define ANEW_STRATEGY_BASIC_STRATEGY_HPP

#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "anew/base/breaker_state.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/slots.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/system.hpp"
#include "anew/base/policy_change.hpp"
#include "anew/policies/sources/std_clock.hpp"
#include "anew/roles/internal/ask_gate.hpp"
#include "anew/roles/internal/limit_mark.hpp"
#include "anew/roles/observer.hpp"
#include "anew/roles/retry_strategy.hpp"
#include "anew/strategy/basic_token.hpp"
#include "anew/strategy/internal/deciding.hpp"
#include "anew/strategy/internal/explain.hpp"
#include "anew/strategy/internal/lazy_now.hpp"

namespace anew::inline ANEW_ABI {

// NOLINTBEGIN(*-macro-*): a template cannot take a member's name as its argument
/// The roles in their order, each with its template parameter.
// clang-format off
#define ANEW_EACH_ROLE(X)                                                                                \
  X(backoff, BackoffPolicy)         X(jitter, JitterPolicy)                   X(quota, QuotaPolicy)      \
  X(classifier, ClassifierPolicy)   X(max_attempts, MaxAttemptsPolicy)        X(hint, HintPolicy)        \
  X(deadline, DeadlinePolicy)       X(attempt_timeout, AttemptTimeoutPolicy)  X(gate, GatePolicy)        \
  X(pacer, PacerPolicy)             X(reset, ResetPolicy)                     X(nesting, NestingPolicy)  \
  X(observer, ObserverPolicy)       X(history, HistoryPolicy)                 X(clock, ClockPolicy)      \
  X(random_source, RandomPolicy)
// clang-format on
#define ANEW_TYPE(NAME, Policy) using NAME##_type = Policy;
#define ANEW_GET(NAME, Policy) \
  [[nodiscard]] constexpr Policy const& NAME() const& noexcept { return NAME##_; }
#define ANEW_TAKE(NAME, Policy) NAME##_{detail::take_or_default<roles::NAME, Policy>(given)},
#define ANEW_HOLD(NAME, Policy) ANEW_NO_UNIQUE_ADDRESS Policy NAME##_;

/// A strategy composed of one policy per role. You write `strategy<Policies...>`, in any order; `basic_strategy` is its
/// canonical form, so that two orders are one type.
///
/// The policies hold the state that calls share; the token holds the state of one call. All functions are const and
/// safe from many threads at once. Cost: that of the policies; a strategy of empty policies is an empty type.
template <class BackoffPolicy, class JitterPolicy, class QuotaPolicy, class ClassifierPolicy, class MaxAttemptsPolicy,
          class HintPolicy, class DeadlinePolicy, class AttemptTimeoutPolicy, class GatePolicy, class PacerPolicy,
          class ResetPolicy, class NestingPolicy, class ObserverPolicy, class HistoryPolicy, class ClockPolicy,
          class RandomPolicy>
class basic_strategy {
 public:
  ANEW_EACH_ROLE(ANEW_TYPE)

  static constexpr bool has_deadline = !detail::is_absent<DeadlinePolicy>;
  static constexpr bool has_attempt_timeout = !detail::is_absent<AttemptTimeoutPolicy>;
  static constexpr bool has_gate = !detail::is_absent<GatePolicy>;
  static constexpr bool has_pacer = !detail::is_absent<PacerPolicy>;
  static constexpr bool has_reset = !detail::is_absent<ResetPolicy>;
  static constexpr bool has_nesting = !detail::is_absent<NestingPolicy>;
  static constexpr bool has_observer = !detail::is_absent<ObserverPolicy>;
  static constexpr bool has_history = !detail::is_absent<HistoryPolicy>;
  static constexpr bool tells_changes = detail::HearsChanges<ObserverPolicy>;

  /// A retry may be refused right before it, because its permit is settled then.
  static constexpr bool settles_permits = detail::SettlesPermits<QuotaPolicy>;

  /// A driver calls `admit()` before each attempt.
  static constexpr bool has_admission = has_gate || has_pacer || has_reset || settles_permits;

  /// A call that the quota refuses waits for `refreshed::wait_before_end()` before it ends.
  static constexpr bool waits_before_refusal = detail::WaitsBeforeRefusal<QuotaPolicy>;

  /// The initial token depends on nothing but the time, so a driver may make it later.
  static constexpr bool initial_token_is_pure = !has_admission && !detail::CountsCalls<QuotaPolicy>;

  /// Policies are chosen at run time, perhaps so that a call has nothing to ask before its first failure: it is plain then.
  static constexpr bool may_be_plain =
      !initial_token_is_pure &&
      detail::MayBePlain<DeadlinePolicy, GatePolicy, PacerPolicy, ResetPolicy, NestingPolicy, QuotaPolicy>;

  using deadline_state = std::conditional_t<has_deadline, detail::ends_at, detail::never_ends>;
  using jitter_state_type = typename detail::jitter_state<JitterPolicy>::type;
  using held_pass_type = typename detail::held_if_any<detail::held_pass, GatePolicy>::type;
  using asked_type = std::conditional_t<detail::IsAskedWithMore<GatePolicy>, detail::asked_first, detail::never_asked>;
  using held_ticket_type = typename detail::held_if_any<detail::held_ticket, PacerPolicy>::type;
  using held_nested_type = typename detail::held_if_any<detail::held_permit, NestingPolicy>::type;
  using held_call_type =
      std::conditional_t<detail::CountsCallsUnderWay<QuotaPolicy>, detail::held_call<QuotaPolicy>, detail::no_call>;
  using streak_type = std::conditional_t<has_reset, detail::streak, detail::no_streak>;
  using counts_type =
      std::conditional_t<(detail::DelaysByKind<BackoffPolicy> && !detail::CountsNothingByKind<BackoffPolicy>) ||
                             detail::LimitsByKind<MaxAttemptsPolicy>,
                         kind_counts, detail::no_counts>;
  using token_type = basic_token<basic_strategy>;
  using all_policies =
      detail::policy_list<BackoffPolicy, JitterPolicy, QuotaPolicy, ClassifierPolicy, MaxAttemptsPolicy, HintPolicy,
                          DeadlinePolicy, AttemptTimeoutPolicy, GatePolicy, PacerPolicy, ResetPolicy, NestingPolicy,
                          ObserverPolicy, HistoryPolicy, ClockPolicy, RandomPolicy>;

  // Compilers print the line of a deleted function, and with it the comment on that line.
  basic_strategy()
    requires all_policies::have_defaults  // false for values known at run time, and for anew::shared
  = default;
  basic_strategy()  // anew: a policy of this strategy needs its values: anew::compose(policies...), or move that strategy
      = delete;
  basic_strategy(basic_strategy const&)
    requires all_policies::are_copied
  = default;
  basic_strategy(basic_strategy const&)  // anew: two copies would be two budgets: pass a reference, or use anew::shared
      = delete;
  basic_strategy(basic_strategy&&) = default;
  basic_strategy& operator=(basic_strategy const&) = default;
  basic_strategy& operator=(basic_strategy&&) = default;
  ~basic_strategy() = default;

  /// From the policies with values at run time, in any order; the others are default-constructed.
  template <class... Given>
    requires(sizeof...(Given) > 0 && (DeclaresRole<Given> && ...))
  constexpr explicit basic_strategy(Given&&... given)
      : basic_strategy{detail::value_slots<Given...>{std::forward<Given>(given)...}, from_slots{}} {}

  /// The token of a call's first attempt: no delay, nothing held. Reads the clock only for a policy that needs it.
  [[nodiscard]] constexpr token_type acquire_initial_token() const {
    return acquire_initial_token(detail::lazy_now{*this});
  }
  template <detail::Time Now>
  [[nodiscard]] constexpr token_type acquire_initial_token([[maybe_unused]] Now&& now) const {
    token_type token{};
    if (is_plain()) {
      if constexpr (has_deadline) token.end_.value = time_point::max();
      return token;
    }
    if constexpr (has_deadline) token.end_.value = detail::saturating_add(time_point{now}, deadline_.total());
    if constexpr (detail::CountsCalls<QuotaPolicy>) quota_.on_call(now);
    if constexpr (detail::CountsCallsUnderWay<QuotaPolicy>) token.call_ = held_call_type{quota_};
    return token;
  }

  /// Asks whether the attempt of this token may begin now. A driver asks right before each attempt, after the sleep,
  /// where `has_admission`. The quota settles the permit of a retry, then the gate is asked, then the pacer. A wait that
  /// the deadline does not permit is refused.
  template <detail::Time Now>
  [[nodiscard]] ANEW_INLINE constexpr admission_answer admit([[maybe_unused]] token_type& token,
                                                             [[maybe_unused]] Now&& now) const {
    if constexpr (settles_permits) {
      if (token.held_.is_held()) {
        auto const answer = quota_.settle(token.held_.value(), now);
        if constexpr (tells_changes) {
          if (answer.pass || answer.wait <= duration::zero()) note_quota(!answer.pass, now);
        }
        if (!answer.pass) return detail::deciding::wait_to_begin(*this, token, answer.wait, stop_reason::quota, now);
        token.held_.open(quota_) = *answer.pass;
      }
    }
    if constexpr (has_gate) {
      if (!token.pass_.is_held()) {  // held while the pacer delays an attempt that the gate admitted
        auto const answer = detail::ask_gate(gate_, token.place_, now, random_source_);
        if (!answer.pass) [[unlikely]]
          return detail::deciding::wait_to_begin(*this, token, answer.wait, stop_reason::gate_closed, now);
        token.pass_.hold(gate_, *answer.pass);
        announce(answer.change, now);
      }
    }
    if constexpr (has_pacer) {
      auto&& ticket = token.ticket_.open(pacer_);
      [[maybe_unused]] bool is_new = false;
      if constexpr (tells_changes) is_new = ticket == typename PacerPolicy::ticket_type{};
      auto const answer = pacer_.ask(ticket, now);
      if constexpr (tells_changes) {
        bool const limits = answer.refused || answer.wait > duration::zero();
        if (is_new && detail::mark_of(pacer_, pacer_mark_).set(limits)) told(changed::pacer, limits, now);
      }
      if (answer.refused) return {{}, stop_reason::rate_limited};
      if (answer.wait > duration::zero())
        return detail::deciding::wait_to_begin(*this, token, answer.wait, stop_reason::rate_limited, now);
    }
    if constexpr (has_reset) token.streak_.began = now;
    return {};
  }

  /// Asks whether another attempt may follow the failed one, and after what delay. The order of the questions: safety,
  /// attempts, nesting, quota, backoff and jitter, hint, deadline, gate. A refusal leaves the quota as it was. Consumes
  /// the token: the quota keeps the price of its attempt.
  [[nodiscard]] constexpr refreshed<token_type> refresh_retry_token(token_type&& token, failure const& what) const {
    return refresh_retry_token(std::move(token), what, detail::lazy_now{*this});
  }
  template <detail::follows Follows = detail::follows::attempt, detail::Time Now>
  [[nodiscard]] constexpr refreshed<token_type> refresh_retry_token(token_type&& token, failure const& what,
                                                                    Now&& now) const {
    token_type next{std::move(token)};
    auto const answer = detail::deciding::refresh<Follows>(*this, next, what, now);
    if (!answer) return {answer.refusal, answer.wait_before_end};
    return {std::move(next), answer.origin};
  }

  /// The same in place, for drivers: `token` becomes that of the next attempt, or holds nothing.
  [[nodiscard]] ANEW_INLINE constexpr detail::decision refresh_in_place(token_type& token, failure const& what) const {
    return detail::deciding::refresh(*this, token, what, detail::lazy_now{*this});
  }

  /// The same after a look of `poll()`: "not ready" costs nothing and is no failure, and a look is never a nested retry.
  [[nodiscard]] constexpr refreshed<token_type> refresh_polling_token(token_type&& token, failure const& what,
                                                                      look_result found) const {
    return found == look_result::failed
               ? refresh_retry_token<detail::follows::failed_look>(std::move(token), what, detail::lazy_now{*this})
               : refresh_retry_token<detail::follows::not_ready>(std::move(token), what, detail::lazy_now{*this});
  }

  /// Records a success: the quota is refilled as its policy says. Consumes the token.
  constexpr void record_success(token_type&& token) const { record_success(std::move(token), detail::lazy_now{*this}); }
  template <detail::Time Now>
  constexpr void record_success(token_type&& token, [[maybe_unused]] Now&& now) const {
    bool is_nested = false;
    if constexpr (has_nesting) is_nested = detail::tell_nested_success(nesting_, token.nested_);
    if (!is_nested) quota_.on_success(token.held_.take());
    [[maybe_unused]] gate_change change;
    if constexpr (has_gate) {
      change = detail::change_by([&] { return gate_.on_success(token.pass_.value(), now); });
      static_cast<void>(token.pass_.take());  // after it: the compiler then sees that nothing is left to release
    }
    if constexpr (has_pacer) pacer_.on_success(now);
    token.call_.end();
    announce(change, now);
  }

  /// Tells the observer what became of the gate: `announce(gate().isolate())`. Calls tell it themselves.
  constexpr void announce(gate_change change) const { announce(change, detail::lazy_now{*this}); }
  constexpr void announce([[maybe_unused]] gate_change change, [[maybe_unused]] detail::Time auto&& now) const {
    if constexpr (tells_changes) {
      if (change) detail::tell_change(observer_, policy_change{change}, now);
    }
  }

  /// Tells the observer if the quota's answer to a retry differs from its last one. For the strategy's own decisions.
  ANEW_INLINE constexpr void note_quota(bool refused, auto&& now) const {
    if (detail::mark_of(quota_, quota_mark_).set(refused)) told(changed::quota, refused, now);
  }

  /// The same for a first attempt, whose token would hold nothing: where the initial token is pure, or the strategy plain.
  constexpr void record_success_at_once() const
    requires(initial_token_is_pure || may_be_plain)
  {
    if constexpr (detail::ChosenAtRunTime<QuotaPolicy>) {
      quota_.visit([]<class Q>(Q const& quota) { quota.on_success(typename Q::permit_type{}); });
    } else {
      quota_.on_success(typename QuotaPolicy::permit_type{});
    }
  }

  [[nodiscard]] constexpr bool is_plain() const noexcept { return plain_.is_plain; }
  [[nodiscard]] constexpr bool needs_admission() const noexcept { return has_admission && !is_plain(); }

  /// The time of the composed clock, by default of the steady clock.
  [[nodiscard]] constexpr time_point now() const {
    if constexpr (!detail::is_absent<ClockPolicy>) {
      return clock_.now();
    } else {
      return detail::platform::now();
    }
  }

  /// Calls `visitor(policies...)` with all policies, absent roles included, in the order of the template parameters.
  template <class Visitor>
  constexpr decltype(auto) apply(Visitor&& visitor) const {
    return std::forward<Visitor>(visitor)(backoff_, jitter_, quota_, classifier_, max_attempts_, hint_, deadline_,
                                          attempt_timeout_, gate_, pacer_, reset_, nesting_, observer_, history_,
                                          clock_, random_source_);
  }

  ANEW_EACH_ROLE(ANEW_GET)
  // Policies that others borrow: of a temporary strategy they are temporaries too, which `borrowed` refuses.
  [[nodiscard]] constexpr QuotaPolicy const&& quota() const&& noexcept { return std::move(quota_); }
  [[nodiscard]] constexpr GatePolicy const&& gate() const&& noexcept { return std::move(gate_); }
  [[nodiscard]] constexpr PacerPolicy const&& pacer() const&& noexcept { return std::move(pacer_); }

 private:
  struct from_slots {};
  constexpr basic_strategy(auto given, from_slots /*tag*/)
      : ANEW_EACH_ROLE(ANEW_TAKE)  //
        plain_{deadline_, gate_, pacer_, reset_, nesting_, quota_} {}

  ANEW_COLD void told(changed of, bool limits, auto& now) const {
    using enum breaker_state;
    detail::tell_change(observer_, {{limits ? closed : open, limits ? open : closed}, of}, now);
  }

  ANEW_EACH_ROLE(ANEW_HOLD)
  ANEW_NO_UNIQUE_ADDRESS detail::plain_if_unasked<may_be_plain, DeadlinePolicy, GatePolicy, PacerPolicy, ResetPolicy,
                                                  NestingPolicy, QuotaPolicy>
      plain_;
  template <int Which>
  using mark_type = std::conditional_t<tells_changes, detail::limit_mark, detail::no_limit_mark<Which>>;
  ANEW_NO_UNIQUE_ADDRESS mark_type<0> quota_mark_;
  ANEW_NO_UNIQUE_ADDRESS mark_type<1> pacer_mark_;
};

#undef ANEW_EACH_ROLE
#undef ANEW_TYPE
#undef ANEW_GET
#undef ANEW_TAKE
#undef ANEW_HOLD
// NOLINTEND(*-macro-*)

namespace detail {

template <class... Ps>
inline constexpr bool is_composed<basic_strategy<Ps...>> = true;

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
