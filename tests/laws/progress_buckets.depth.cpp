// SPDX-License-Identifier: BSL-1.0
// The quotas that count tokens, beside plain arithmetic that neither packs nor saturates.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/quota/concurrency_budget.hpp"
#include "anew/policies/quota/long_poll.hpp"
#include "anew/policies/quota/refilling_bucket.hpp"
#include "anew/policies/quota/retry_throttle.hpp"

#include "depth.hpp"
#include "naive_quota.hpp"
#include "names.hpp"

namespace {

using anew::retry_costs;
using anew::when_empty;
using support::agree;
using support::naive_quota;
using support::totals;

__extension__ using wide = __int128;

constexpr retry_costs dear{.transient = 3, .throttling = 1, .timeout = 7, .server = 2, .client = 5};

/// What a token bucket says, in numbers that cannot overflow.
struct naive_tokens : naive_quota {
  std::int64_t capacity;
  retry_costs costs;
  std::int64_t balance = capacity;

  std::optional<std::int64_t> try_acquire(failure const& f, time_point /*now*/) {
    auto const cost = std::int64_t{costs.of(f.kind)};
    if (cost > balance) return std::nullopt;
    balance -= cost;
    return cost;
  }
  void on_success(std::int64_t held) { release(std::max<std::int64_t>(held, 1)); }
  void release(std::int64_t held) { balance = std::min(capacity, balance + held); }
  [[nodiscard]] std::int64_t balance_at(time_point /*now*/) const { return balance; }
};

/// A bucket that time refills, as the time at which it is full again. GCRA without a smallest and a largest time.
struct naive_refill : naive_quota {
  std::int64_t capacity, per, longest;
  retry_costs costs;
  wide full_at = std::numeric_limits<std::int64_t>::min();
  wide due = 0;

  static wide ticks(time_point t) { return t.time_since_epoch().count(); }

  std::optional<std::int64_t> try_acquire(failure const& f, time_point now) {
    auto const cost = std::int64_t{costs.of(f.kind)};
    auto const after = std::max(full_at, ticks(now)) + wide{cost} * per;
    if (after - ticks(now) > wide{capacity} * per + longest) return std::nullopt;
    if (after >= std::numeric_limits<std::int64_t>::max()) return std::nullopt;  // time ends before
    full_at = after;
    due = after - wide{capacity} * per;
    return cost;
  }
  void release(std::int64_t held) { full_at -= wide{held} * per; }
  [[nodiscard]] std::int64_t balance_at(time_point now) const {
    auto const full = wide{capacity} * per;
    auto const missing = std::clamp<wide>(full_at - ticks(now), 0, full);
    return static_cast<std::int64_t>((full - missing) / per);
  }
  [[nodiscard]] std::int64_t wait(time_point now) const {
    return static_cast<std::int64_t>(std::max<wide>(due - ticks(now), 0));
  }
};

struct naive_throttle : naive_quota {
  std::int64_t most, ratio, tokens = most * 1000;

  std::optional<std::int64_t> try_acquire(failure const& /*f*/, time_point /*now*/) const {
    return 2 * tokens > most * 1000 ? std::optional<std::int64_t>{0} : std::nullopt;
  }
  void on_success(std::int64_t /*held*/) { tokens = std::min(most * 1000, tokens + ratio); }
  void on_attempt_failed(failure const& f) {
    if (f.kind == anew::error_kind::client && f.safety == anew::retry_safety::no) return;
    tokens = std::max<std::int64_t>(tokens - 1000, 0);
  }
  [[nodiscard]] std::int64_t balance_at(time_point /*now*/) const { return tokens / 1000; }
};

struct naive_concurrency : naive_quota {
  std::int64_t percent, least, calls = 0, retries = 0;

  [[nodiscard]] std::int64_t most() const { return std::max(least, calls * percent / 100); }
  std::optional<std::int64_t> try_acquire(failure const& /*f*/, time_point /*now*/) {
    if (retries >= most()) return std::nullopt;
    ++retries;
    return 1;
  }
  void on_success(std::int64_t held) { retries -= held; }
  void release(std::int64_t held) { retries -= held; }
  void on_failure(std::int64_t held) { retries -= held; }
  void on_call(time_point /*now*/) { ++calls; }
  void on_call_end() { --calls; }
  [[nodiscard]] std::int64_t balance_at(time_point /*now*/) const {
    return std::max<std::int64_t>(most() - retries, 0);
  }
};

struct naive_unlimited : naive_tokens {
  naive_unlimited() : naive_tokens{{}, 0, {}} {}
  static std::optional<std::int64_t> try_acquire(failure const& /*f*/, time_point /*now*/) { return 0; }
  static void release(std::int64_t /*held*/) {}
};

TEST(BucketsInDepth, TokensAreCountedAsByHand) {
  totals all;
  for (std::uint64_t seed = 0; seed < 40 && !HasFatalFailure(); ++seed) {
    agree(anew::token_bucket<500>{}, naive_tokens{{}, 500, {}}, 1s, seed, all);
    agree(anew::token_bucket<20, dear>{}, naive_tokens{{}, 20, dear}, 1s, seed, all);
    auto const most = std::numeric_limits<std::uint32_t>::max();
    agree(anew::token_bucket{most, retry_costs{.transient = most / 3, .timeout = most}},
          naive_tokens{{}, most, {.transient = most / 3, .timeout = most}}, 1s, seed, all);
    agree(anew::long_poll<anew::token_bucket<70>>{}, naive_tokens{{}, 70, {}}, 1s, seed, all);
    agree(anew::unlimited_quota{}, naive_unlimited{}, 1s, seed, all);
  }
  all.report(2'000'000, false);
}

TEST(BucketsInDepth, TimeRefillsAsByHand) {
  totals all;
  constexpr auto refuse = when_empty::refuse;
  constexpr auto reserve = when_empty::reserve;
  for (std::uint64_t seed = 0; seed < 40 && !HasFatalFailure(); ++seed) {
    agree(anew::refilling_bucket<10, 100ms>{}, naive_refill{{}, 10, 100'000'000, 0, anew::one_each}, 100ms, seed, all);
    agree(anew::refilling_bucket<3, 7ns, refuse, 0ns, dear>{}, naive_refill{{}, 3, 7, 0, dear}, 7ns, seed, all);
    agree(anew::refilling_bucket<10, 100ms, reserve, 1s>{},
          naive_refill{{}, 10, 100'000'000, 1'000'000'000, anew::one_each}, 100ms, seed, all);
    agree(anew::refilling_bucket<0, 1h, reserve, 48h, dear>{},
          naive_refill{{}, 0, 3'600'000'000'000, 172'800'000'000'000, dear}, 1h, seed, all);
    // 146 years, the most that a bucket may take to fill.
    duration const year{support::a_year};
    agree(anew::refilling_bucket{146, year, dear}, naive_refill{{}, 146, year.count(), 0, dear}, 24h * 365, seed, all);
    agree(anew::refilling_bucket{70, year, anew::longest_wait{70 * year}},
          naive_refill{{}, 70, year.count(), 70 * year.count(), anew::one_each}, 24h * 365, seed, all);
  }
  all.report(2'000'000);
}

TEST(BucketsInDepth, ThrottlesAndSharesAreCountedAsByHand) {
  totals all;
  for (std::uint64_t seed = 0; seed < 40 && !HasFatalFailure(); ++seed) {
    agree(anew::retry_throttle<>{}, naive_throttle{{}, 100, 100}, 1s, seed, all);
    agree(anew::retry_throttle<1, anew::rational{1, 1000}>{}, naive_throttle{{}, 1, 1}, 1s, seed, all);
    agree(anew::retry_throttle{1000, anew::rational{1000}}, naive_throttle{{}, 1000, 1'000'000}, 1s, seed, all);
    agree(anew::concurrency_budget<>{}, naive_concurrency{{}, 20, 3}, 1s, seed, all);
    agree(anew::concurrency_budget<100, 0>{}, naive_concurrency{{}, 100, 0}, 1s, seed, all);
  }
  all.report(2'000'000, false);
}

}  // namespace
