// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STATE_INTERNAL_QUOTA_STATES_HPP
#define ANEW_STATE_INTERNAL_QUOTA_STATES_HPP

#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/policies/quota/internal/counted_tenths.hpp"
#include "anew/policies/quota/internal/striped_quotas.hpp"
#include "anew/policies/quota/refilling_bucket.hpp"
#include "anew/policies/quota/retry_budget.hpp"
#include "anew/policies/quota/retry_throttle.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/state/internal/state_bytes.hpp"

/// The counts of the quotas, as numbers.
namespace anew::inline ANEW_ABI::detail {

/// The balance in parts of a token, as the bucket counts it.
template <std::int64_t Capacity, retry_costs Costs, refund Refund, payment Payment>
struct kept_state<token_bucket<Capacity, Costs, Refund, Payment>> {
  static void walk(token_bucket<Capacity, Costs, Refund, Payment> const& of, state_walk& w) {
    w.count(of.balance_, of.all_terms().full);
  }
};

/// The same: the balance, with all that the stripes have counted.
template <class Bucket, unsigned Stripes>
struct kept_state<striped_bucket<Bucket, Stripes>> {
  using policy_type = striped_bucket<Bucket, Stripes>;
  static void walk(policy_type const& of, state_walk& w) {
    auto const word = of.word_.load_acquire();
    auto const balance = w.counted(of.balance_now(word, of.sum()), of.terms_.full);
    if (w.takes()) of.word_.store_release(policy_type::word_of(of.sum(), static_cast<std::uint32_t>(balance)));
  }
};

/// When the bucket is full again.
template <std::int64_t Capacity, static_duration Per, when_empty Then, static_duration Longest, retry_costs Costs>
struct kept_state<refilling_bucket<Capacity, Per, Then, Longest, Costs>> {
  static void walk(refilling_bucket<Capacity, Per, Then, Longest, Costs> const& of, state_walk& w) {
    auto const longest = of.time_of(of.capacity()) + of.longest_.get();  // longer where now is before the last retry
    auto const full_at = w.time(time_point{duration{of.full_at_.load()}}, longest);
    if (w.takes()) of.full_at_.store_release(full_at.time_since_epoch().count());
  }
};

template <std::int64_t MaxTokens, rational Ratio>
struct kept_state<retry_throttle<MaxTokens, Ratio>> {
  using policy_type = retry_throttle<MaxTokens, Ratio>;
  static void walk(policy_type const& of, state_walk& w) { w.count(of.tokens_, of.max_.get() * policy_type::one); }
};

/// The counts of the newest tenth and of those before it, without those that are closed.
template <>
struct kept_state<tenths_ring> {
  static void clear(tenths_ring& of) noexcept {
    for (auto& slot : of.slots_) slot.word.store_release(0);
  }
  static void walk(tenths_ring& of, auto const& counts, tenth_number newest, state_walk& w) {
    if (w.takes()) clear(of);
    for (unsigned age = 0; age != tenths_ring::window; ++age) {
      auto const at = newest - age;
      auto const count = w.counted(counts.count_of(at), counted_tenth::most);
      if (w.takes() && count != 0)
        of.slot_of(at).store_release(counted_tenth::empty(at) + static_cast<std::uint64_t>(count));
    }
  }
  static void walk(tenths_ring& of, tenth_number newest, state_walk& w) { walk(of, of, newest, w); }
};

/// The same counts of all stripes together; they are set as those of one.
template <unsigned Stripes>
struct kept_state<striped_calls<Stripes>> {
  using calls_type = striped_calls<Stripes>;
  struct sums {
    calls_type const& of;
    [[nodiscard]] std::int64_t count_of(tenth_number number) const noexcept {
      return smaller(of.count_of(number), std::int64_t{counted_tenth::most});
    }
  };
  static void walk(calls_type& of, tenth_number newest, state_walk& w) {
    if (w.takes()) {
      for (auto& each : of.rings_) kept_state<tenths_ring>::clear(each.ring);
    }
    kept_state<tenths_ring>::walk(of.rings_[0].ring, sums{of}, newest, w);
    if (!w.takes()) return;
    of.newest_.store_release(newest);
    of.forget_sums();
  }
};

/// How far the newest tenth is ahead of now; the calls of it and of the nine before it; the retries of these.
template <>
struct kept_state<expiring_counts> {
  static void walk(expiring_counts& of, tenth_number now, state_walk& w) { walk(of, of.calls_, now, w); }
  template <class Calls>
  static void walk(expiring_counts& of, Calls& calls, tenth_number now, state_walk& w) {
    auto newest = larger(larger(now, of.head()), typename Calls::snapshot{calls}.newest());
    // Clocks of threads differ by less; calls before that time would not count.
    auto const ahead = w.counted(smaller(newest - now, tenth_number{tenths_ring::window}), tenths_ring::window);
    if (!w.writes()) newest = now + static_cast<tenth_number>(ahead);
    kept_state<Calls>::walk(calls, newest, w);
    kept_state<tenths_ring>::walk(of.retries_, newest, w);
    if (w.takes()) of.head_.store_release(newest);
  }
};

template <std::int64_t Percent, std::int64_t PerSecond, static_duration Window>
struct kept_state<retry_budget<Percent, PerSecond, Window>> {
  static void walk(retry_budget<Percent, PerSecond, Window> const& of, state_walk& w) {
    kept_state<expiring_counts>::walk(of.counts_, of.tenth_at(w.now()), w);
  }
};

/// The same: the calls are those of all stripes.
template <class Budget, unsigned Stripes>
struct kept_state<striped_budget<Budget, Stripes>> {
  static void walk(striped_budget<Budget, Stripes> const& of, state_walk& w) {
    kept_state<expiring_counts>::walk(of.counts_, of.calls_, of.tenth_at(w.now()), w);
  }
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
