// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_QUOTA_REFILLING_BUCKET_HPP
#define ANEW_POLICIES_QUOTA_REFILLING_BUCKET_HPP

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/policies/quota/retry_costs.hpp"
#include "anew/roles/quota.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// The behaviour of an empty bucket that time refills.
enum class when_empty : std::uint8_t {
  refuse,   ///< the call ends
  reserve,  ///< lends the retry tokens that come back soon; the retry waits until then
};

/// One token, whatever the kind of error.
inline constexpr retry_costs one_each{.transient = 1, .throttling = 1, .timeout = 1, .server = 1, .client = 1};

/// The longest wait of a retry for its borrowed tokens, as an argument of a constructor: `longest_wait{1s}`.
struct longest_wait {
  duration value;
};

namespace detail {

/// Half of what 64 bits hold, so that no sum with a time overflows.
constexpr bool fills_within_146_years(std::uint64_t tokens, duration per, duration lent) noexcept {
  constexpr auto most = static_cast<uint128>(std::numeric_limits<std::int64_t>::max() / 2);
  return static_cast<uint128>(tokens) * static_cast<std::uint64_t>(per.count()) +
             static_cast<std::uint64_t>(lent.count()) <=
         most;
}

/// The permit of a bucket that lends: the price of the retry, and the time when it is paid.
struct reservation {
  std::int64_t due = 0;
  std::uint32_t cost = 0;
  friend constexpr bool operator==(reservation const&, reservation const&) = default;
};

}  // namespace detail

/// A bucket of tokens that time refills: one comes back every `Per`, until `Capacity` are there. A retry pays 1.
///
/// `refilling_bucket<10, 100ms>` refuses when it is empty. `refilling_bucket<10, 100ms, when_empty::reserve, 1s>` lends
/// the retry what comes back within `Longest`, and the retry waits until it is there, if the backoff's cap permits. A
/// deadline that the wait would pass ends the call; a reservation that is not used gives its time back.
/// `refilling_bucket{10, 100ms}` and `refilling_bucket{10, 100ms, longest_wait{1s}}` take values known at run time, both
/// with costs as the last argument.
/// Successes give nothing back. Fractions of a token are kept. It starts full, it moves and is never copied.
///
/// Models: Quota (time-aware, exact under contention, lock-free, 8 bytes)
/// Formula: GCRA: at = max(at, now) + cost*Per, granted while at - now <= Capacity*Per + Longest
/// Requires: 0 <= Capacity <= 2^32-1, Per > 0, costs above zero, Capacity*Per + Longest at most 146 years;
/// Longest > 0 with `reserve`, and none without
/// Cost: a success does nothing; a retry one compare-exchange; the clock is read after each failure
/// Metastable above: its capacity less 1/Per retries a second from each process that has such a
/// bucket. They never stop while it is down, so 100 processes at 100ms are 1000 requests a second for ever.
/// Choose it where the server grants retries by the second, or where a client of few calls must get through an
/// outage. Not as the only guard of a large fleet: token_bucket, which a service that is down does not refill.
/// Source: ITU-T I.371 (generic cell rate algorithm); the time refill of smithy-rs, with fractions.
template <std::int64_t Capacity, static_duration Per, when_empty Then = when_empty::refuse,
          static_duration Longest = duration::zero(), retry_costs Costs = one_each>
class refilling_bucket {
  static constexpr bool is_static = Capacity != run_time_count;
  static constexpr bool lends = Then == when_empty::reserve;

 public:
  using role = roles::quota;
  static constexpr bool forwards_members = true;  // wait() where it reserves
  using permit_type = std::conditional_t<lends, detail::reservation, std::uint32_t>;

  constexpr refilling_bucket() noexcept = default;

  constexpr refilling_bucket(detail::any_count capacity, detail::any_duration per, retry_costs costs = one_each)
    requires(!is_static && !lends)
      : capacity_{detail::checked(capacity.get(), fault_of(capacity, per, costs))}, per_{per}, costs_{costs} {}
  constexpr refilling_bucket(detail::any_count capacity, detail::any_duration per, longest_wait longest,
                             retry_costs costs = one_each)
    requires(!is_static && lends)
      : capacity_{detail::checked(capacity.get(), fault_of(capacity, per, longest, costs))},
        per_{per},
        longest_{longest.value},
        costs_{costs} {}
  static constexpr detail::value_fault fault_of(detail::any_count capacity, duration per, retry_costs const& costs) {
    return fault_of(capacity, per, anew::longest_wait{duration{1}}, costs);
  }
  static constexpr detail::value_fault fault_of(detail::any_count capacity, duration per, longest_wait longest,
                                                retry_costs const& costs) {
    bool every_kind_costs = true;
    for (auto kind : detail::every_kind) every_kind_costs = every_kind_costs && costs.of(kind) != 0;
    return detail::value_fault{"refilling_bucket"}
        .within(capacity, 0, 4'294'967'295, "capacity")
        .above_zero(per, "per")
        .above_zero(longest.value, "longest_wait")
        .unless(detail::fills_within_146_years(capacity.get(), per, lends ? longest.value : duration::zero()),
                "an empty bucket must be full within 146 years", capacity, " times ", per)
        .unless(every_kind_costs, "every cost must be above zero", costs);
  }

  /// Takes the cost of one retry. Refuses, and takes nothing, when the tokens are neither there nor back soon enough.
  [[nodiscard]] std::optional<permit_type> try_acquire(failure const& f, time_point now) const noexcept {
    auto const cost = costs_of_retries().of(f.kind);
    if (!detail::fills_within_146_years(cost, per_.get(), duration::zero())) return std::nullopt;  // never there
    auto const price = time_of(cost);
    auto const most = time_of(capacity()) + longest_.get();
    auto full_at = full_at_.load();
    for (;;) {
      auto const from = detail::larger(time_point{duration{full_at}}, now);
      auto const after = detail::saturating_add(from, price);
      if (detail::saturating_subtract(after, now) > most || after == time_point::max()) return std::nullopt;
      if (full_at_.compare_exchange_weak(full_at, after.time_since_epoch().count())) {
        if constexpr (lends) {
          return permit_type{detail::saturating_subtract(after.time_since_epoch(), time_of(capacity())).count(), cost};
        } else {
          return cost;
        }
      }
    }
  }

  /// How long until this permit is paid.
  [[nodiscard]] duration wait(permit_type held, time_point now) const noexcept
    requires lends
  {
    return detail::larger(detail::saturating_subtract(time_point{duration{held.due}}, now), duration::zero());
  }

  /// The call succeeded. Time refills this bucket, successes do not.
  static constexpr void on_success(permit_type /*held*/) noexcept {}

  /// Returns the price of a retry; tokens above the capacity are lost.
  void release(permit_type held) const noexcept {
    std::uint32_t cost;
    if constexpr (lends) {
      cost = held.cost;
    } else {
      cost = held;
    }
    auto full_at = full_at_.load();
    auto const back = time_of(cost);
    while (!full_at_.compare_exchange_weak(full_at, detail::saturating_subtract(duration{full_at}, back).count())) {
    }
  }

  /// How many whole tokens may be spent at that time. For display: it may have changed before it is read.
  [[nodiscard]] std::uint32_t balance(time_point now) const noexcept {
    auto const missing = detail::saturating_subtract(time_point{duration{full_at_.load()}}, now);
    auto const full = time_of(capacity());
    auto const there = full - detail::clamped(missing, duration::zero(), full);
    return static_cast<std::uint32_t>(there / per_.get());
  }
  [[nodiscard]] constexpr std::uint32_t capacity() const noexcept { return capacity_.get(); }
  [[nodiscard]] constexpr duration per() const noexcept { return per_.get(); }
  [[nodiscard]] constexpr duration longest_wait() const noexcept { return longest_.get(); }
  [[nodiscard]] constexpr retry_costs costs() const noexcept { return costs_.get(); }

  /// Returns its promises at so many attempts of a call, in closed form: `quota_bounds`. Include anew/bounds.hpp.
  template <class Promise = detail::quota_promise>
  [[nodiscard]] constexpr auto promises(std::uint64_t attempts) const noexcept {
    return Promise::of_refilling(capacity(), per(), longest_wait(), costs(), attempts);
  }

  /// True until it is first asked to pay for a retry. A registry evicts such a policy before others.
  [[nodiscard]] bool is_untouched() const noexcept {
    return full_at_.load() == std::numeric_limits<std::int64_t>::min();
  }
  [[nodiscard]] std::string describe() const {
    auto const costs = costs_of_retries();
    return detail::written("refilling_bucket", capacity(), per_.get(), lends ? "reserve" : "",
                           detail::text_if(lends, longest_.get()), detail::text_if(costs != one_each, costs));
  }

  /// Reads or writes the state: anew/state/saved_state.hpp.
  void walk_state(auto& w) const {
    auto const longest = time_of(capacity()) + longest_.get();  // longer where now is before the last retry
    auto const full_at = w.time(time_point{duration{full_at_.load()}}, longest);
    if (w.takes()) full_at_.store_release(full_at.time_since_epoch().count());
  }

  static constexpr detail::kept_rules is_sound{
      is_static,
      fault_of(Capacity, Per.value(),
               anew::longest_wait{lends ? Longest.value() : duration{Longest.nanoseconds == 0 ? 1 : 0}}, Costs)};
  static consteval void explain() {
    static_assert(detail::keeps_rule<refilling_bucket, 1>,
                  "anew::refilling_bucket<Capacity, Per> requires 0 <= Capacity <= 4294967295; Capacity is out of "
                  "range. Write the number of tokens of a full bucket, or use anew::unlimited_quota for no limit");
    static_assert(detail::keeps_rule<refilling_bucket, 2>,
                  "anew::refilling_bucket<Capacity, Per> requires Per > 0; it is the time after which one token "
                  "comes back. Did you mean anew::unlimited_quota?");
    static_assert(
        detail::keeps_rule<refilling_bucket, 3>,
        "anew::refilling_bucket<Capacity, Per, Then, Longest> requires Longest > 0 with when_empty::reserve, and no "
        "Longest with when_empty::refuse, which never waits. Add it, or omit it");
    static_assert(detail::keeps_rule<refilling_bucket, 4>,
                  "anew::refilling_bucket<Capacity, Per> requires an empty bucket to be full within 146 years; "
                  "Capacity * Per is longer. Use anew::token_bucket for a bucket that time does not refill");
    static_assert(detail::keeps_rule<refilling_bucket, 5>,
                  "anew::refilling_bucket<..., Costs> requires every cost to be above zero; a retry that costs "
                  "nothing is not limited. Did you mean anew::unlimited_quota?");
  }

 private:
  [[nodiscard]] constexpr retry_costs costs_of_retries() const noexcept { return costs_.get(); }
  [[nodiscard]] constexpr duration time_of(std::uint32_t tokens) const noexcept {
    return duration{static_cast<std::int64_t>(static_cast<std::uint64_t>(per_.get().count()) * tokens)};
  }

  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Capacity, refilling_bucket> capacity_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Per, refilling_bucket, 1> per_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Longest, refilling_bucket, 2> longest_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Costs, refilling_bucket, 3, is_static> costs_;
  mutable detail::atomic_cell<std::int64_t> full_at_{std::numeric_limits<std::int64_t>::min()};
};

refilling_bucket(detail::any_count, detail::any_duration, retry_costs = {})
    -> refilling_bucket<run_time_count, run_time>;
refilling_bucket(detail::any_count, detail::any_duration, longest_wait, retry_costs = {})
    -> refilling_bucket<run_time_count, run_time, when_empty::reserve, run_time>;

}  // namespace anew::inline ANEW_ABI

#endif
