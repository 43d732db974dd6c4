// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STATE_SNAPSHOT_HPP
#define ANEW_STATE_SNAPSHOT_HPP

#include <utility>
#include <vector>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/state/internal/kept_state.hpp"
#include "anew/state/internal/state_bytes.hpp"
#include "anew/state/saved_state.hpp"

namespace anew::inline ANEW_ABI {

/// Copies what a strategy's quota, gate and pacer have counted, or what one of them has: a program that restarts, or a
/// simulation that branches, continues from there with `restore()`.
///
/// `now` is the time of the strategy's clock; times are kept relative to it. Calls under way end with the process,
/// so the permits of a `concurrency_budget`, the probes of a breaker that is half open and the attempts in a rate
/// limiter's queue are not kept. Each policy is copied at one moment while calls use it, but a `retry_budget`, a
/// `rate_breaker` and a `cool_down` word by word.
/// Requires: quotas, gates and pacers of anew, in `shared` and the like or in none, or with a
/// `static constexpr bool keeps_nothing = true`, which are omitted; not a `partitioned`, whose keys you visit
/// Cost: some loads, and the memory of the state; a rate limiter locks
template <class T>
[[nodiscard]] saved_state snapshot(T const& of, time_point now) {
  std::vector<saved_state::part> parts;
  if constexpr (detail::explain_kept_states<T>()) {
    detail::each_kept(of, [&parts, now]<class P>(P const& policy) {
      saved_state::part one{detail::name_in_state(policy.describe()), {}};
      detail::state_walk numbers{one.numbers, now};
      detail::kept_state<P>::walk(policy, numbers);
      parts.push_back(std::move(one));
    });
  }
  return saved_state{std::move(parts)};
}

}  // namespace anew::inline ANEW_ABI

#endif
