// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STATE_INTERNAL_QUOTA_STATES_HPP
#define ANEW_STATE_INTERNAL_QUOTA_STATES_HPP

#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/policies/quota/internal/budget_access.hpp"
#include "anew/policies/quota/internal/counted_tenths.hpp"
#include "anew/policies/quota/internal/striped_bucket.hpp"
#include "anew/policies/quota/internal/striped_budget.hpp"
#include "anew/policies/quota/internal/striped_calls.hpp"
#include "anew/policies/quota/refilling_bucket.hpp"
#include "anew/policies/quota/retry_budget.hpp"
#include "anew/policies/quota/retry_throttle.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/state/internal/state_numbers.hpp"

/// The counts of the quotas, as numbers. `accepts` says whether `set` may be called.
namespace anew::inline ANEW_ABI::detail {

/// The balance in parts of a token, as the bucket counts it.
template <std::int64_t Capacity, retry_costs Costs, refund Refund, payment Payment>
struct kept_state<token_bucket<Capacity, Costs, Refund, Payment>> {
  using policy_type = token_bucket<Capacity, Costs, Refund, Payment>;
  static constexpr std::size_t size = 1;

  static void get(policy_type const& of, time_point /*now*/, state_numbers& to) { to.push_back(of.balance_.load()); }
  static bool accepts(policy_type const& of, state_view in) noexcept { return is_count(in[0], of.all_terms().full); }
  static void set(policy_type const& of, state_view in, time_point /*now*/) noexcept {
    of.balance_.store_release(static_cast<std::uint32_t>(in[0]));
  }
};

/// The same: the balance, with all that the stripes have counted.
template <class Bucket, unsigned Stripes>
struct kept_state<striped_bucket<Bucket, Stripes>> {
  using policy_type = striped_bucket<Bucket, Stripes>;
  static constexpr std::size_t size = 1;

  static void get(policy_type const& of, time_point /*now*/, state_numbers& to) {
    auto const word = of.word_.load_acquire();
    to.push_back(of.balance_now(word, of.sum()));
  }
  static bool accepts(policy_type const& of, state_view in) noexcept {
    return is_count(in[0], bucket_access::full(of.terms_));
  }
  static void set(policy_type const& of, state_view in, time_point /*now*/) noexcept {
    of.word_.store_release(policy_type::word_of(of.sum(), static_cast<std::uint32_t>(in[0])));
  }
};

/// When the bucket is full again.
template <std::int64_t Capacity, static_duration Per, when_empty Then, static_duration Longest, retry_costs Costs>
struct kept_state<refilling_bucket<Capacity, Per, Then, Longest, Costs>> {
  using policy_type = refilling_bucket<Capacity, Per, Then, Longest, Costs>;
  static constexpr std::size_t size = 1;

  static void get(policy_type const& of, time_point now, state_numbers& to) {
    auto const left = saturating_subtract(time_point{duration{of.full_at_.load()}}, now);
    to.push_back(smaller(left, most(of)).count());  // more where `now` is earlier than the last retry
  }
  static bool accepts(policy_type const& of, state_view in) noexcept { return duration{in[0]} <= most(of); }
  static void set(policy_type const& of, state_view in, time_point now) noexcept {
    of.full_at_.store_release(saturating_add(now, duration{in[0]}).time_since_epoch().count());
  }

 private:
  static duration most(policy_type const& of) noexcept { return of.time_of(of.capacity()) + of.longest_.get(); }
};

/// The tokens in thousandths.
template <std::int64_t MaxTokens, rational Ratio>
struct kept_state<retry_throttle<MaxTokens, Ratio>> {
  using policy_type = retry_throttle<MaxTokens, Ratio>;
  static constexpr std::size_t size = 1;

  static void get(policy_type const& of, time_point /*now*/, state_numbers& to) { to.push_back(of.tokens_.load()); }
  static bool accepts(policy_type const& of, state_view in) noexcept {
    return is_count(in[0], of.max_.get() * policy_type::one);
  }
  static void set(policy_type const& of, state_view in, time_point /*now*/) noexcept {
    of.tokens_.store_release(static_cast<std::uint32_t>(in[0]));
  }
};

template <>
struct kept_state<tenths_ring> {
  static void get(tenths_ring const& of, tenth_number newest, state_numbers& to) {
    tenths_ring::snapshot const seen{of};
    for (unsigned age = 0; age != tenths_ring::window; ++age) {
      auto const word = seen.of(newest - age);
      bool const is_counted = counted_tenth::number_of(word) == newest - age;
      to.push_back(is_counted ? static_cast<std::int64_t>(counted_tenth::count_of(word)) : 0);
    }
  }
  static void set(tenths_ring& of, tenth_number newest, state_view in) noexcept {
    for (auto& slot : of.slots_) slot.word.store_release(0);
    for (unsigned age = 0; age != tenths_ring::window; ++age) {
      if (in[age] == 0) continue;
      of.slot_of(newest - age).store_release(counted_tenth::empty(newest - age) + static_cast<std::uint64_t>(in[age]));
    }
  }
};

/// The calls of all stripes.
template <unsigned Stripes>
struct kept_state<striped_calls<Stripes>> {
  using calls_type = striped_calls<Stripes>;

  static void get(calls_type const& of, tenth_number newest, state_numbers& to) {
    for (unsigned age = 0; age != tenths_ring::window; ++age) {
      to.push_back(smaller(of.count_of(newest - age), std::int64_t{counted_tenth::most}));
    }
  }
  static void set(calls_type& of, tenth_number newest, state_view in) noexcept {
    static constexpr std::int64_t none[tenths_ring::window]{};
    for (auto& each : of.rings_) kept_state<tenths_ring>::set(each.ring, newest, none);
    kept_state<tenths_ring>::set(of.rings_[0].ring, newest, in);
    of.newest_.store_release(newest);
    of.forget_sums();
  }
};

/// How far the newest tenth is ahead of now; the calls of it and of the nine before it; the retries of these.
template <>
struct kept_state<expiring_counts> {
  static constexpr std::size_t size = 1 + 2 * tenths_ring::window;

  static void get(expiring_counts const& of, tenth_number now, state_numbers& to) { get(of, of.calls_, now, to); }
  /// The same, where the calls were counted elsewhere.
  template <class Calls>
  static void get(expiring_counts const& of, Calls const& all_calls, tenth_number now, state_numbers& to) {
    typename Calls::snapshot const calls{all_calls};
    auto const newest = larger(larger(now, of.head()), calls.newest());
    to.push_back(static_cast<std::int64_t>(smaller(newest - now, most_ahead)));
    kept_state<Calls>::get(all_calls, newest, to);
    kept_state<tenths_ring>::get(of.retries_, newest, to);
  }
  static bool accepts(state_view in) noexcept {
    for (auto const count : in.subspan(1)) {
      if (!is_count(count, counted_tenth::most)) return false;
    }
    return is_count(in[0], most_ahead);
  }
  static void set(expiring_counts& of, state_view in, tenth_number now) noexcept { set(of, of.calls_, in, now); }
  template <class Calls>
  static void set(expiring_counts& of, Calls& all_calls, state_view in, tenth_number now) noexcept {
    auto const newest = now + static_cast<std::uint64_t>(in[0]);
    kept_state<Calls>::set(all_calls, newest, in.subspan(1));
    kept_state<tenths_ring>::set(of.retries_, newest, in.subspan(1 + tenths_ring::window));
    of.head_.store_release(newest);
  }

 private:
  /// Clocks of threads differ by less; the budget would not move on before that time.
  static constexpr tenth_number most_ahead = tenths_ring::window;
};

template <std::int64_t Percent, std::int64_t PerSecond, static_duration Window>
struct kept_state<retry_budget<Percent, PerSecond, Window>> {
  using policy_type = retry_budget<Percent, PerSecond, Window>;
  using counts = kept_state<expiring_counts>;
  static constexpr std::size_t size = counts::size;

  static void get(policy_type const& of, time_point now, state_numbers& to) {
    counts::get(of.counts_, of.tenth_at(now), to);
  }
  static bool accepts(policy_type const& /*of*/, state_view in) noexcept { return counts::accepts(in); }
  static void set(policy_type const& of, state_view in, time_point now) noexcept {
    counts::set(of.counts_, in, of.tenth_at(now));
  }
};

/// The same: the calls are those of all stripes.
template <class Budget, unsigned Stripes>
struct kept_state<striped_budget<Budget, Stripes>> {
  using policy_type = striped_budget<Budget, Stripes>;
  using access = budget_access;
  using counts = kept_state<expiring_counts>;
  static constexpr std::size_t size = counts::size;

  static void get(policy_type const& of, time_point now, state_numbers& to) {
    counts::get(access::counts(of.retries_), of.calls_, access::tenth_at(of.retries_, now), to);
  }
  static bool accepts(policy_type const& /*of*/, state_view in) noexcept { return counts::accepts(in); }
  static void set(policy_type const& of, state_view in, time_point now) noexcept {
    counts::set(access::counts(of.retries_), of.calls_, in, access::tenth_at(of.retries_, now));
  }
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
