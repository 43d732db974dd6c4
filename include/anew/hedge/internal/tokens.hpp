// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_HEDGE_INTERNAL_TOKENS_HPP
#define ANEW_HEDGE_INTERNAL_TOKENS_HPP

#include <utility>

#include "anew/compose/basic_strategy.hpp"
#include "anew/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::detail {

/// What servers asked of a call whose attempts are not all over: it binds every attempt that begins later, whichever
/// failure leads to it.
struct heard_hints {
  time_point not_before = time_point::min();
  bool too_long = false;  ///< one of them asked for more than the hint policy permits

  /// `delay` and `origin` are what the hint policy made of it.
  constexpr void add(duration asked, duration delay, delay_origin origin, time_point now) noexcept {
    if (origin == delay_origin::backoff && asked > delay) return;  // the policy ignores it
    not_before = larger(not_before, saturating_add(now, smaller(asked, delay)));
  }
};

/// The tokens of a call that has several attempts under way. The token of the initial kind is the call's: it stands for
/// no attempt, and holds the call's place in a quota that counts calls, its deadline, what its jitter remembers. Each
/// attempt has a token of its own, which holds what was charged for that attempt and the gate's pass.
///
/// A strategy's three functions know one attempt at a time: `refresh_retry_token` settles the attempt before as failed.
/// Here nothing is settled that is still under way, and a refusal leaves the others as they are.
struct tokens_in_flight {
  /// Stands for nothing, and holds nothing. In the place of an empty optional, which g++ 12 takes for an uninitialised one.
  template <class S>
  [[nodiscard]] static constexpr typename S::token_type none() noexcept {
    return {};
  }

  template <class S>
  [[nodiscard]] static constexpr auto first(S const& /*strategy*/, typename S::token_type const& call) noexcept {
    typename S::token_type token{};
    token.end_ = call.end_;
    return token;
  }

  /// May another attempt begin? In the order of `refresh_retry_token`. `at_once`: without backoff, and so without a delay
  /// but that of an earlier hint.
  template <class S>
  [[nodiscard]] static constexpr refreshed<typename S::token_type> another(S const& strategy,
                                                                           typename S::token_type& call,
                                                                           call_progress const& progress,
                                                                           failure const& what,
                                                                           heard_hints const& heard, bool at_once) {
    auto const now = strategy.now_if_needed();
    auto const made = progress.attempts;
    if (!strategy.permits_another(made, progress)) return stop_reason::attempts;

    typename S::token_type next{};
    if (auto const refusal = strategy.charge(next, what, now); refusal != stop_reason::succeeded) {
      if constexpr (S::waits_before_refusal) {
        if (refusal == stop_reason::quota && waits_before_refusal(strategy.quota_)) {
          return {refusal, strategy.wait_before_end(call, made, progress, what, now)};
        }
      }
      return refusal;
    }
    next.end_ = call.end_;
    next.attempt_ = saturating_next(made);

    auto origin = delay_origin::backoff;
    if (!at_once && !strategy.plan(next.delay_, origin, call.jitter_, made, progress, what)) {
      return stop_reason::hint_too_long;
    }
    if (heard.too_long) return stop_reason::hint_too_long;
    auto asked = at_once ? std::nullopt : what.hint.delay();
    if (heard.not_before != time_point::min()) {
      auto const least = detail::saturating_subtract(heard.not_before, strategy.now());
      asked = larger(least, asked && *asked <= next.delay_ ? *asked : least);
      if (least > next.delay_) {
        next.delay_ = least;
        origin = delay_origin::hint;
      }
    }
    if constexpr (requires { strategy.quota_.wait(typename S::quota_type::permit_type{}, now); }) {
      if (next.held_.is_held()) {
        auto const lent_for = strategy.quota_.wait(next.held_.value(), now);
        if (lent_for > (at_once ? duration::zero() : detail::cap_of(strategy.backoff_))) return stop_reason::quota;
        if (lent_for > next.delay_) {
          next.delay_ = lent_for;
          origin = delay_origin::quota;
        }
      }
    }
    if constexpr (S::has_deadline) {
      auto const fitting = strategy.deadline_.fit(next.delay_, detail::saturating_subtract(call.end_.value, now));
      if (!fitting || is_before_hint(*fitting, next.delay_, origin, asked)) return stop_reason::deadline;
      if (*fitting < next.delay_) origin = delay_origin::deadline;
      next.delay_ = *fitting;
    }
    if constexpr (requires { strategy.gate_.would_refuse(now); }) {
      if (strategy.gate_.would_refuse(detail::saturating_add(now, next.delay_))) return stop_reason::gate_closed;
    }
    return {std::move(next), origin};
  }

  /// Keeps the hint of a failure that no attempt is planned after.
  template <class S>
  static constexpr void remember(S const& strategy, typename S::token_type const& call, call_progress const& progress,
                                 failure const& what, heard_hints& heard) {
    auto jitter = call.jitter_;  // a copy: the call waits by none of this
    duration delay{};
    auto origin = delay_origin::backoff;
    if (strategy.plan(delay, origin, jitter, progress.attempts, progress, what)) {
      heard.add(*what.hint, delay, origin, strategy.now());
    } else {
      heard.too_long = true;
    }
  }

  /// The attempt failed: what it paid is spent, and the gate, the pacer and the quota hear of it.
  template <class S>
  static constexpr void failed(S const& strategy, typename S::token_type token, failure const& what) {
    strategy.settle_failed(token, what, strategy.now_if_needed());
  }

  /// The attempt was made and lost: what it paid is spent. The gate gets its pass back and hears of no failure.
  template <class S>
  static constexpr void lost(S const& strategy, typename S::token_type token) {
    [[maybe_unused]] auto const permit = token.held_.take();
    if constexpr (requires { strategy.quota_.on_failure(permit); }) {
      if (permit != typename S::quota_type::permit_type{}) strategy.quota_.on_failure(permit);
    }
  }
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
