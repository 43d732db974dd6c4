// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STATE_INTERNAL_KEPT_STATE_HPP
#define ANEW_STATE_INTERNAL_KEPT_STATE_HPP

#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/platform/internal/fork_safe_mutex.hpp"
#include "anew/policies/pacer/client_rate_limiter.hpp"
#include "anew/policies/pacer/internal/pacing_bucket.hpp"
#include "anew/policies/pacer/rate_limiter_constants.hpp"
#include "anew/policies/pacer/striped_client_rate_limiter.hpp"
#include "anew/policies/quota/concurrency_budget.hpp"
#include "anew/policies/quota/internal/striped_quotas.hpp"
#include "anew/policies/sharing/internal/handle_of.hpp"
#include "anew/roles/roles.hpp"
#include "anew/state/internal/gate_states.hpp"
#include "anew/state/internal/quota_states.hpp"
#include "anew/state/internal/state_bytes.hpp"
#include "anew/strategy/basic_strategy.hpp"
#include "anew/strategy/for_each_policy.hpp"

/// The rates of the rate limiter, as numbers. The attempts in its queue are gone after a restart: no number stands for them.
namespace anew::inline ANEW_ABI::detail {

/// The latest half second that was measured, the responses since, and the rate.
template <>
struct kept_state<measured_rate> {
  static void walk(measured_rate& of, state_walk& w) {
    constexpr std::int64_t most_behind = 40'000'000'000;  // 600 years, which no clock spans
    constexpr std::int64_t most_ahead = 1;                // clocks of threads differ by less
    auto const present = half_second_of(w.now());
    auto const ahead = w.number(smaller(of.half_second_ - present, most_ahead));
    w.require(-most_behind <= ahead && ahead <= most_ahead);
    auto const count = w.counted(of.count_, std::numeric_limits<std::int64_t>::max());
    w.amount(of.rate_);
    if (!w.takes()) return;
    of.half_second_ = present + ahead;
    of.count_ = static_cast<std::uint64_t>(count);
  }
};

/// The rate, the most tokens, the tokens, and the time as of which they are counted.
template <>
struct kept_state<pacing_bucket> {
  static void walk(pacing_bucket& of, rate_limiter_constants const& c, bool is_limited, state_walk& w) {
    auto const rate = w.amount(of.fill_rate_);
    auto const most = w.amount(of.max_capacity_);
    w.require(w.amount(of.capacity_) <= most);
    // Once limited, an attempt waits for a token at the rate: there must be one.
    w.require(!is_limited || (rate >= c.min_fill_rate && most >= c.min_capacity));
    auto const last = w.time(of.last_, duration::zero());
    if (w.takes()) of.last_ = last;
  }
};

/// 0 before the first response, 1 before the first throttled one, 2 after it; responses that are to be counted; the
/// measured rate; the bucket; the rate when it was last throttled, and when that was.
template <when_limited Then, rate_limiter_constants Constants>
struct kept_state<client_rate_limiter<Then, Constants>> {
  using policy_type = client_rate_limiter<Then, Constants>;

  static void walk(policy_type const& of, state_walk& w) {
    fork_safe_lock const lock{of.mutex_, of.begins_anew()};
    auto const phase = w.counted(of.phase_.load(), policy_type::limited);
    w.count(of.uncounted_, std::numeric_limits<std::int64_t>::max());
    kept_state<measured_rate>::walk(of.measured_, w);
    kept_state<pacing_bucket>::walk(of.bucket_, of.constants(), phase == policy_type::limited, w);
    w.amount(of.last_max_rate_);
    auto const throttled_at = w.time(of.last_throttle_, duration::zero());
    if (!w.takes()) return;
    of.window_ = cubic_rate::time_window(of.last_max_rate_, of.constants());
    of.last_throttle_ = throttled_at;
    of.phase_.store_release(static_cast<std::uint8_t>(phase));
  }
};

/// The same, with the responses that the stripes have counted.
template <class Limiter, unsigned Stripes>
struct kept_state<striped_limiter<Limiter, Stripes>> {
  static void walk(striped_limiter<Limiter, Stripes> const& of, state_walk& w) {
    {
      fork_safe_lock const lock{of.mutex_, of.begins_anew()};
      of.take_in();
    }
    kept_state<Limiter>::walk(of, w);
    if (w.takes()) of.sampled_.store_release(of.never);
  }
};

/// Which policies have a state that outlives their process.

template <class P>
concept KeepsState = requires(P const& policy, state_walk& w) { kept_state<P>::walk(policy, w); };

/// A policy without a state, or with one that ends with the process or is elsewhere: it is empty, or declares so.
template <class P>
inline constexpr bool has_nothing_to_keep = std::is_empty_v<P> || requires { requires P::keeps_nothing; };
template <std::int64_t Percent, std::int64_t Least>
inline constexpr bool has_nothing_to_keep<concurrency_budget<Percent, Least>> = true;
template <class Budget, unsigned Stripes>
inline constexpr bool has_nothing_to_keep<striped_concurrency<Budget, Stripes>> = true;

template <class P>
inline constexpr bool state_of_policy_is_known = KeepsState<P> || has_nothing_to_keep<P>;

/// Calls `visit` with the policy that has the state of `policy`, unless there is nothing to keep.
template <class P, class Visit>
void with_state_of(P const& policy, Visit const& visit) {
  if constexpr (KeepsState<P>) {
    visit(policy);
  } else if constexpr (HoldsAnother<P>) {
    detail::with_state_of(policy.policy(), visit);
  } else if constexpr (IsChoice<P>) {
    policy.visit([&visit](auto const& chosen) { detail::with_state_of(chosen, visit); });
  } else {
    static_assert(state_of_policy_is_known<P>,
                  "anew::snapshot and anew::restore require policies whose state they know; this quota, gate or pacer "
                  "is your own, "
                  "or an anew::partitioned, which has a state for each key. Pass the other policies one by one, as in "
                  "snapshot(strategy.gate(), now), or declare static constexpr bool keeps_nothing = true in yours");
  }
}

/// Calls `visit` with each policy whose state outlives the process: of a strategy, or of one policy.
template <class... Ps, class Visit>
void each_kept(basic_strategy<Ps...> const& strategy, Visit const& visit) {
  anew::for_each_policy(strategy, [&visit]<class P>(std::string_view /*role*/, P const& policy) {
    if constexpr (is_shared_state<P>) detail::with_state_of(policy, visit);
  });
}
template <class P, class Visit>
  requires is_shared_state<P>
void each_kept(P const& policy, Visit const& visit) {
  detail::with_state_of(policy, visit);
}

template <class... Ps>
void as_strategy(basic_strategy<Ps...> const& strategy);
template <class T>
inline constexpr bool is_strategy_or_shared_state =
    is_shared_state<T> || requires(T const& of) { detail::as_strategy(of); };

/// Explains in one sentence what is wrong with what `snapshot()` or `restore()` is called with.
template <class T>
consteval bool explain_kept_states() {
  if constexpr (!is_strategy_or_shared_state<T>) {
    static_assert(
        is_strategy_or_shared_state<T>,
        "anew::snapshot and anew::restore require a strategy, a quota, a gate or a pacer; nothing else counts "
        "for all calls. Pass the strategy, or its quota()");
    return false;
  } else if constexpr (is_shared_state<T> && has_nothing_to_keep<T>) {
    static_assert(!has_nothing_to_keep<T>,
                  "anew::snapshot and anew::restore require a policy whose state is worth keeping; this policy has "
                  "no state, or counts calls in progress as anew::concurrency_budget does. Omit it");
    return false;
  } else {
    return true;
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
