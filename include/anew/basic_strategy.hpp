// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASIC_STRATEGY_HPP
#define ANEW_BASIC_STRATEGY_HPP

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "anew/concept/retry_strategy.hpp"
#include "anew/config.hpp"
#include "anew/detail/explain.hpp"
#include "anew/detail/slots.hpp"
#include "anew/token.hpp"

namespace anew {

/// A strategy composed of one policy per role. Written as `strategy<Policies...>`, in any order; this is its one
/// canonical form, so that two orders are one type.
///
/// The policies carry what calls share; the token carries everything of one call. All functions are const and safe from
/// many threads at once. Cost: what the composed policies cost; a strategy of empty policies is an empty type.
template <class BackoffPolicy, class JitterPolicy, class QuotaPolicy, class ClassifierPolicy, class MaxAttemptsPolicy,
          class HintPolicy, class DeadlinePolicy, class ObserverPolicy, class ClockPolicy, class RandomPolicy>
class basic_strategy {
 public:
  using backoff_type = BackoffPolicy;
  using jitter_type = JitterPolicy;
  using quota_type = QuotaPolicy;
  using classifier_type = ClassifierPolicy;
  using max_attempts_type = MaxAttemptsPolicy;
  using hint_type = HintPolicy;
  using deadline_type = DeadlinePolicy;
  using observer_type = ObserverPolicy;
  using clock_type = ClockPolicy;
  using random_source_type = RandomPolicy;

  static constexpr bool has_deadline = !detail::is_absent<DeadlinePolicy>;
  static constexpr bool has_observer = !detail::is_absent<ObserverPolicy>;

  /// The initial token depends on nothing but the time: a driver may make it when it needs it.
  static constexpr bool initial_token_is_pure = true;

  using deadline_state = std::conditional_t<has_deadline, detail::ends_at, detail::never_ends>;
  using jitter_state_type = typename detail::jitter_state<JitterPolicy>::type;
  using token_type = basic_token<basic_strategy>;

  /// False when a policy's values are given at run time: then there is no default. The builtin, because the trait costs
  /// a millisecond of compile time per strategy.
  static constexpr bool is_default_constructible =
      __is_constructible(BackoffPolicy) && __is_constructible(JitterPolicy) && __is_constructible(QuotaPolicy) &&
      __is_constructible(ClassifierPolicy) && __is_constructible(MaxAttemptsPolicy) && __is_constructible(HintPolicy) &&
      __is_constructible(DeadlinePolicy) && __is_constructible(ObserverPolicy) && __is_constructible(ClockPolicy) &&
      __is_constructible(RandomPolicy);

  basic_strategy()
    requires is_default_constructible
  = default;

  // Compilers show the line of a deleted function, and so what is said in it.
  basic_strategy()  // anew: a policy of this strategy needs its values: anew::compose(policies...), or move that strategy
      = delete;

  /// From the policies that have something to say at run time, in any order; the others are default-constructed.
  template <class... Given>
    requires(sizeof...(Given) > 0 && (DeclaresRole<Given> && ...))
  constexpr explicit basic_strategy(Given&&... given)
      : basic_strategy{detail::value_slots<Given...>{std::forward<Given>(given)...}, from_slots{}} {}

  /// The token of a call's first attempt: no delay, nothing held. Reads the clock only for a deadline.
  [[nodiscard]] constexpr token_type acquire_initial_token() const {
    if constexpr (has_deadline) {
      return acquire_initial_token(now());
    } else {
      return token_type{};
    }
  }
  [[nodiscard]] constexpr token_type acquire_initial_token([[maybe_unused]] time_point now) const noexcept {
    token_type token{};
    if constexpr (has_deadline) token.end_.value = detail::saturating_add(now, deadline_.total());
    return token;
  }

  /// May another attempt follow the one that failed, and after what delay? In this order: is it safe, attempts, quota,
  /// backoff and jitter, hint, deadline. A refusal leaves the quota as it was. Consumes the token: the retry that it
  /// stood for was made, so what it paid is spent.
  [[nodiscard]] constexpr refreshed<token_type> refresh_retry_token(token_type&& token, failure const& what) const {
    if constexpr (has_deadline) {
      return refresh_retry_token(std::move(token), what, now());
    } else {
      return refresh_retry_token(std::move(token), what, time_point{});
    }
  }
  [[nodiscard]] constexpr refreshed<token_type> refresh_retry_token(token_type&& token, failure const& what,
                                                                    [[maybe_unused]] time_point now) const {
    settle_failed(token);
    if (what.safety == retry_safety::no) return stop_reason::not_retryable;
    if (!max_attempts_.permits_another(token.attempt_)) return stop_reason::attempts;
    auto const permit = quota_.try_acquire(what);
    if (!permit) return stop_reason::quota;

    token_type next{};
    next.held_ = detail::held_permit<QuotaPolicy>{quota_, *permit};  // given back by whichever refusal follows
    next.end_ = token.end_;
    next.jitter_ = token.jitter_;
    next.attempt_ = token.attempt_ + (token.attempt_ != ~std::uint32_t{0} ? 1U : 0U);
    next.delay_ = draw(next.jitter_, token.attempt_);

    auto origin = delay_origin::backoff;
    if (what.hint) {
      auto const planned = hint_.resolve(next.delay_, *what.hint, detail::cap_of(backoff_));
      if (!planned) return stop_reason::hint_too_long;
      next.delay_ = planned->delay;
      origin = planned->origin;
    }
    if constexpr (has_deadline) {
      auto const fitting = deadline_.fit(next.delay_, detail::saturating_subtract(token.end_.value, now));
      if (!fitting) return stop_reason::deadline;
      if (*fitting < next.delay_) origin = delay_origin::deadline;
      next.delay_ = *fitting;
    }
    return {std::move(next), origin};
  }

  /// The call succeeded: the quota is given back what its policy says. Consumes the token.
  constexpr void record_success(token_type&& token) const { quota_.on_success(token.held_.take()); }

  /// The time by the composed clock, or the steady clock's.
  [[nodiscard]] constexpr time_point now() const {
    if constexpr (detail::is_absent<ClockPolicy>) {
      return std_clock<std::chrono::steady_clock>::now();
    } else {
      return clock_.now();
    }
  }

  [[nodiscard]] constexpr BackoffPolicy const& backoff() const noexcept { return backoff_; }
  [[nodiscard]] constexpr JitterPolicy const& jitter() const noexcept { return jitter_; }
  [[nodiscard]] constexpr QuotaPolicy const& quota() const noexcept { return quota_; }
  [[nodiscard]] constexpr ClassifierPolicy const& classifier() const noexcept { return classifier_; }
  [[nodiscard]] constexpr MaxAttemptsPolicy const& max_attempts() const noexcept { return max_attempts_; }
  [[nodiscard]] constexpr HintPolicy const& hint() const noexcept { return hint_; }
  [[nodiscard]] constexpr DeadlinePolicy const& deadline() const noexcept { return deadline_; }
  [[nodiscard]] constexpr ObserverPolicy const& observer() const noexcept { return observer_; }
  [[nodiscard]] constexpr ClockPolicy const& clock() const noexcept { return clock_; }
  [[nodiscard]] constexpr RandomPolicy const& random_source() const noexcept { return random_source_; }

 private:
  struct from_slots {};

  template <class Slots>
  constexpr basic_strategy(Slots given, from_slots /*tag*/)
      : backoff_{detail::take_or_default<roles::backoff, BackoffPolicy>(given)},
        jitter_{detail::take_or_default<roles::jitter, JitterPolicy>(given)},
        quota_{detail::take_or_default<roles::quota, QuotaPolicy>(given)},
        classifier_{detail::take_or_default<roles::classifier, ClassifierPolicy>(given)},
        max_attempts_{detail::take_or_default<roles::max_attempts, MaxAttemptsPolicy>(given)},
        hint_{detail::take_or_default<roles::hint, HintPolicy>(given)},
        deadline_{detail::take_or_default<roles::deadline, DeadlinePolicy>(given)},
        observer_{detail::take_or_default<roles::observer, ObserverPolicy>(given)},
        clock_{detail::take_or_default<roles::clock, ClockPolicy>(given)},
        random_source_{detail::take_or_default<roles::random_source, RandomPolicy>(given)} {}

  constexpr void settle_failed(token_type& token) const {
    [[maybe_unused]] auto const permit = token.held_.take();
    if constexpr (requires { quota_.on_failure(permit); }) {
      if (permit != typename QuotaPolicy::permit_type{}) quota_.on_failure(permit);  // first attempts hold nothing
    }
  }

  /// The delay before retry `retry`, within [0, cap] whatever a policy of the user's returns.
  constexpr duration draw(jitter_state_type& state, std::uint32_t retry) const {
    if constexpr (detail::is_absent<RandomPolicy>) {
      thread_random random{};
      return draw(state, retry, random);
    } else {
      return draw(state, retry, random_source_);
    }
  }

  template <class Random>
  constexpr duration draw([[maybe_unused]] jitter_state_type& state, std::uint32_t retry, Random& random) const {
    auto const cap = detail::larger(detail::cap_of(backoff_), duration::zero());
    auto const ceiling = detail::clamped(backoff_.delay(retry), duration::zero(), cap);
    if constexpr (std::is_same_v<jitter_state_type, detail::no_state>) {
      return detail::clamped(jitter_.apply(ceiling, random), duration::zero(), cap);
    } else {
      delay_bounds const bounds{detail::clamped(backoff_.delay(1), duration::zero(), cap), ceiling, cap};
      return detail::clamped(jitter_.apply(bounds, state, random), duration::zero(), cap);
    }
  }

  ANEW_NO_UNIQUE_ADDRESS BackoffPolicy backoff_;
  ANEW_NO_UNIQUE_ADDRESS JitterPolicy jitter_;
  ANEW_NO_UNIQUE_ADDRESS QuotaPolicy quota_;
  ANEW_NO_UNIQUE_ADDRESS ClassifierPolicy classifier_;
  ANEW_NO_UNIQUE_ADDRESS MaxAttemptsPolicy max_attempts_;
  ANEW_NO_UNIQUE_ADDRESS HintPolicy hint_;
  ANEW_NO_UNIQUE_ADDRESS DeadlinePolicy deadline_;
  ANEW_NO_UNIQUE_ADDRESS ObserverPolicy observer_;
  ANEW_NO_UNIQUE_ADDRESS ClockPolicy clock_;
  ANEW_NO_UNIQUE_ADDRESS RandomPolicy random_source_;
};

}  // namespace anew

#endif
