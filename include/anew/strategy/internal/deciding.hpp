// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STRATEGY_INTERNAL_DECIDING_HPP
#define ANEW_STRATEGY_INTERNAL_DECIDING_HPP

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "anew/base/breaker_state.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/deadline.hpp"
#include "anew/roles/internal/ask_gate.hpp"
#include "anew/roles/max_attempts.hpp"
#include "anew/roles/retry_strategy.hpp"
#include "anew/strategy/basic_token.hpp"
#include "anew/strategy/internal/draw.hpp"

namespace anew::inline ANEW_ABI::detail {

/// A retry is planned when no other attempt is under way.
struct alone {
  static constexpr bool is_at_once = false;
};

/// Decides after a failed attempt of a composed strategy: the only place that knows in which order the policies are
/// asked. Retrying and hedging both decide here.
///
/// A retry passes one token for both: its attempt is settled, and its token becomes that of the next attempt. A hedge
/// passes a new token for the attempt, and the call's own token, which keeps the deadline, the jitter's state and the
/// call's place in a quota that counts calls.
struct deciding {
  /// Makes a token that holds nothing. It replaces an empty optional, which g++ 12 reports as uninitialised.
  template <class S>
  [[nodiscard]] static constexpr typename S::token_type no_token() noexcept {
    return {};
  }

  /// Makes the token of the attempt after `made` attempts. It holds nothing yet.
  template <class S>
  [[nodiscard]] static constexpr typename S::token_type another_of(typename S::token_type const& call,
                                                                   std::uint32_t made) noexcept {
    typename S::token_type token{};
    token.end_ = call.end_;
    token.attempt_ = saturating_next(made);
    return token;
  }

  /// Turns `token`, whose attempt failed, into the token of the next attempt. After a refusal it holds nothing.
  template <follows Follows = follows::attempt, class S, class Now>
  [[nodiscard]] ANEW_INLINE static constexpr decision refresh(S const& s, typename S::token_type& token,
                                                              failure const& what, Now&& now) {
    settle_failed<Follows>(s, token, what, now);
    if (what.safety == retry_safety::no || is_forbidden_by(s.hint(), what.hint)) {
      return drop(token, stop_reason::not_retryable);
    }
    auto const made = attempts_of<S>(token);
    auto const progress = progress_of<S>(token, made, what.kind);
    auto const answer = grant<Follows>(s, token, token, made, progress, what, now, alone{});
    if (!answer) return answer;
    token.attempt_ = saturating_next(token.attempt_);
    if constexpr (S::has_reset) token.streak_.attempts = saturating_next(made);
    return answer;
  }

  /// Decides whether an attempt may follow, and after what delay. The order: attempts, nesting, quota, backoff and
  /// jitter, hint, the attempts that `beside` describes, the quota's wait, deadline, gate. Afterwards `next` holds the
  /// permit of the attempt, or nothing after a refusal.
  template <follows Follows = follows::attempt, class S, class Now, class Beside>
  [[nodiscard]] ANEW_INLINE static constexpr decision grant(S const& s, typename S::token_type& next,
                                                            typename S::token_type& call, std::uint32_t made,
                                                            call_progress const& progress, failure const& what,
                                                            [[maybe_unused]] Now&& now, Beside const& beside) {
    if (!permits_another(s, made, progress)) return drop(next, stop_reason::attempts);
    // A quota that refuses now may refuse the next call too: it says whether a call waits before it ends.
    auto const refuse = [&](stop_reason refusal) {
      duration wait{};
      if constexpr (S::waits_before_refusal) {
        if (refusal == stop_reason::quota && waits_before_refusal(s.quota()))
          wait = wait_before_end(s, call, made, progress, what, now);
      }
      return drop(next, refusal, wait);
    };
    if (auto const refusal = charge<Follows>(s, next, what, now); refusal != stop_reason::succeeded)
      return refuse(refusal);
    start_afresh(next);

    auto origin = delay_origin::backoff;
    auto delay = duration::zero();
    if (!beside.is_at_once && !plan(s, delay, origin, call.jitter_, made, progress, what)) {
      return drop(next, stop_reason::hint_too_long);
    }
    [[maybe_unused]] auto asked = what.hint;
    if constexpr (requires { beside.heed(asked, delay, origin); }) {
      if (!beside.heed(asked, delay, origin)) return drop(next, stop_reason::hint_too_long);
    }
    constexpr bool lends = requires { s.quota().wait(typename S::quota_type::permit_type{}, now); };
    [[maybe_unused]] auto lent_for = duration::zero();
    if constexpr (lends) {
      if (next.held_.is_held()) {
        lent_for = s.quota().wait(next.held_.value(), now);
        if (lent_for > (beside.is_at_once ? duration::zero() : cap_of(s.backoff()))) {
          if constexpr (S::tells_changes) s.note_quota(true, now);
          return refuse(stop_reason::quota);
        }
        if (lent_for > delay) {
          delay = lent_for;
          origin = delay_origin::quota;
        }
      }
    }
    if constexpr (S::tells_changes && Follows != follows::not_ready && !SettlesPermits<typename S::quota_type>) {
      if (!is_nested(next)) s.note_quota(false, now);
    }
    if constexpr (S::has_deadline) {
      auto const fitting = fit(s, call, delay, now);
      if (!fitting || is_before_hint(*fitting, delay, origin, asked)) return drop(next, stop_reason::deadline);
      if constexpr (lends) {
        if (*fitting < lent_for) return drop(next, stop_reason::deadline);
      }
      if (*fitting < delay) origin = delay_origin::deadline;
      delay = *fitting;
    }
    if constexpr (requires { s.gate().would_refuse(now); }) {
      if (s.gate().would_refuse(saturating_add(now, delay))) return drop(next, stop_reason::gate_closed);
    }
    next.delay_ = delay;
    return {stop_reason::succeeded, origin, duration::zero()};
  }

  /// Settles the grants of a failed attempt, and reports the failure to the policies that calls share. A call whose
  /// attempt ran long enough starts over.
  template <follows Follows = follows::attempt, class S, class Now>
  ANEW_INLINE static constexpr void settle_failed(S const& s, typename S::token_type& token,
                                                  [[maybe_unused]] failure const& what, [[maybe_unused]] Now&& now) {
    [[maybe_unused]] bool starts_over = false;
    if constexpr (S::has_reset) starts_over = s.reset().starts_over(saturating_subtract(now, token.streak_.began));
    settle_permit<Follows>(s.quota(), token.held_.take(), what, starts_over);
    if constexpr (S::has_nesting) {
      if (token.nested_.is_held()) s.nesting().on_failure(token.nested_.take());
    }
    [[maybe_unused]] gate_change change;
    if constexpr (S::has_gate) change = tell_gate<Follows>(s.gate(), token.pass_.take(), what, now, s.random_source());
    if constexpr (S::has_pacer) tell_pacer<Follows>(s.pacer(), what, now);
    if constexpr (S::has_reset) {
      if (starts_over) {
        token.streak_.attempts = 1;
        token.jitter_ = {};
        token.counts_ = {};
      }
    }
    if constexpr (S::has_gate) s.announce(change, now);
  }

  /// Settles a hedged attempt that lost: its permit is spent, and the gate's pass is returned without a failure.
  template <class S>
  static constexpr void settle_lost(S const& s, typename S::token_type token) {
    [[maybe_unused]] auto const permit = token.held_.take();
    if constexpr (requires { s.quota().on_failure(permit); }) {
      if (permit != typename S::quota_type::permit_type{}) s.quota().on_failure(permit);
    }
  }

  /// The delay before the next attempt, by backoff, jitter and hint; false when the hint asks for too much.
  template <class S>
  [[nodiscard]] ANEW_INLINE static constexpr bool plan(S const& s, duration& delay, delay_origin& origin,
                                                       typename S::jitter_state_type& state, std::uint32_t made,
                                                       call_progress const& progress, failure const& what) {
    if constexpr (is_absent<typename S::random_source_type>) {
      thread_random random{};
      return plan_by(s, delay, origin, state, made, progress, what, random);
    } else {
      return plan_by(s, delay, origin, state, made, progress, what, s.random_source());
    }
  }

  /// The same for a delay that is not waited for: the jitter's state stays unchanged.
  template <class S>
  [[nodiscard]] static constexpr bool plan_apart(S const& s, typename S::token_type const& call, duration& delay,
                                                 delay_origin& origin, call_progress const& progress,
                                                 failure const& what) {
    auto state = call.jitter_;
    return plan(s, delay, origin, state, progress.attempts, progress, what);
  }

  /// The call's end is kept elsewhere.
  static constexpr void keep_no_end(auto& token) noexcept { token.end_.value = time_point::max(); }

  /// Returns `wait`, unless the call's deadline comes before its end; without a wait the refusal.
  template <class S, class Now>
  [[nodiscard]] ANEW_INLINE static constexpr admission_answer wait_to_begin([[maybe_unused]] S const& s,
                                                                            [[maybe_unused]]
                                                                            typename S::token_type const& call,
                                                                            duration wait, stop_reason refusal,
                                                                            [[maybe_unused]] Now& now) {
    if (wait <= duration::zero()) return {{}, refusal};
    if constexpr (S::has_deadline) {
      auto const fitting = fit(s, call, wait, now);  // with the deadline's reserve, as for a planned delay
      if (reaches(call.end_.value, wait, now) || !fitting || *fitting < wait) return {{}, stop_reason::deadline};
    }
    return {wait};
  }

 private:
  /// Returns every grant of an attempt that is not made.
  ANEW_INLINE static constexpr decision drop(auto& next, stop_reason why, duration wait = {}) noexcept {
    next.held_ = {};
    next.nested_ = {};
    start_afresh(next);
    next.call_.end();
    return {why, delay_origin::backoff, wait};
  }

  /// Each attempt has its own place in the gate's and the pacer's queue.
  ANEW_INLINE static constexpr void start_afresh(auto& next) noexcept {
    next.place_ = {};
    next.ticket_ = {};
  }

  template <class S>
  [[nodiscard]] ANEW_INLINE static constexpr std::uint32_t attempts_of(typename S::token_type const& token) noexcept {
    if constexpr (S::has_reset) return token.streak_.attempts;
    return token.attempt_;
  }

  template <class S>
  [[nodiscard]] ANEW_INLINE static constexpr call_progress progress_of([[maybe_unused]] typename S::token_type& token,
                                                                       std::uint32_t made, error_kind kind) noexcept {
    if constexpr (std::is_same_v<typename S::counts_type, kind_counts>) {
      token.counts_.add(kind);
      return {made, kind, token.counts_};
    } else {
      return {made, kind, {}};
    }
  }

  template <class S>
  [[nodiscard]] ANEW_INLINE static constexpr bool permits_another(S const& s, std::uint32_t made,
                                                                  [[maybe_unused]] call_progress const& progress) {
    if constexpr (LimitsByKind<typename S::max_attempts_type>) return s.max_attempts().permits_another(progress);
    return s.max_attempts().permits_another(made);
  }

  /// Acquires the permit of a retry for `next`. Returns `succeeded`, or the reason of the refusal.
  template <follows Follows, class S, class Now>
  [[nodiscard]] ANEW_INLINE static constexpr stop_reason charge(S const& s, typename S::token_type& next,
                                                                failure const& what, Now& now) {
    if constexpr (Follows == follows::not_ready) return stop_reason::succeeded;
    if constexpr (S::has_nesting && Follows == follows::attempt) {
      if (s.nesting().is_nested()) {
        auto const permit = s.nesting().try_acquire(what);
        if (!permit) return refusal_of(s.nesting());
        next.nested_.hold(s.nesting(), *permit);
        return stop_reason::succeeded;
      }
    }
    auto const permit = try_acquire(s.quota(), what, now);
    if constexpr (S::tells_changes) {
      if (!permit) s.note_quota(true, now);
    }
    if (!permit) return stop_reason::quota;
    next.held_.hold(s.quota(), *permit);
    return stop_reason::succeeded;
  }

  [[nodiscard]] ANEW_INLINE static constexpr bool is_nested([[maybe_unused]] auto const& next) noexcept {
    if constexpr (requires { next.nested_.is_held(); }) return next.nested_.is_held();
    return false;
  }

  template <class S, class Random>
  [[nodiscard]] ANEW_INLINE static constexpr bool plan_by(S const& s, duration& delay, delay_origin& origin,
                                                          typename S::jitter_state_type& state, std::uint32_t made,
                                                          call_progress const& progress, failure const& what,
                                                          Random& random) {
    delay = draw(s.backoff(), s.jitter(), state, made, progress, random);
    if constexpr (PlansForUnread<typename S::hint_type>) {
      if (what.hint.is_not_understood()) {
        auto const unread = s.hint().not_understood(delay, cap_of(s.backoff()));
        delay = larger(unread.delay, duration::zero());
        origin = unread.origin;
        return true;
      }
    }
    if (!what.hint) return true;
    auto const planned = resolve(s.hint(), delay, *what.hint, cap_of(s.backoff()), random);
    if (!planned) return false;
    delay = larger(planned->delay, duration::zero());
    origin = planned->origin;
    return true;
  }

  /// The delay of the refused retry; zero when a hint or the deadline forbids it.
  template <class S, class Now>
  [[nodiscard]] static constexpr duration wait_before_end(S const& s, typename S::token_type& call, std::uint32_t made,
                                                          call_progress const& progress, failure const& what,
                                                          [[maybe_unused]] Now& now) {
    duration delay{};
    auto origin = delay_origin::backoff;
    if (!plan(s, delay, origin, call.jitter_, made, progress, what)) return duration::zero();
    if constexpr (S::has_deadline) return fit(s, call, delay, now).value_or(duration::zero());
    return delay;
  }

  template <class S, class Now>
  [[nodiscard]] ANEW_INLINE static constexpr auto fit(S const& s, [[maybe_unused]] typename S::token_type const& call,
                                                      duration delay, Now& now) {
    if constexpr (requires { s.fit(delay, now); }) {
      return s.fit(delay, now);
    } else {
      return s.deadline().fit(delay, saturating_subtract(call.end_.value, now));
    }
  }
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
