// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_QUOTA_CONCURRENCY_BUDGET_HPP
#define ANEW_POLICIES_QUOTA_CONCURRENCY_BUDGET_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/roles/internal/catalogue.hpp"
#include "anew/roles/quota.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class Budget, unsigned Stripes>
class striped_concurrency;

}  // namespace detail

/// A share of the calls under way as retries under way: at most `Percent` of them, and `Least` where that is more.
///
/// `concurrency_budget<>` is 20 %, at least 3; `concurrency_budget{20, 3}` takes values known at run time. A call is
/// under way from its first attempt to its end, backoffs included. A retry is charged when it is planned, and is under
/// way through its backoff and its attempt; then it gives back what it held, however it ended. When calls end, the
/// retries that are under way stay; new ones are refused until they fit again. You may move it while nothing uses it;
/// it is never copied.
///
/// Models: Quota (exact under contention, lock-free, 8 bytes)
/// Formula: retries under way <= max(Least, floor(Percent/100 * calls under way))
/// Requires: 0 <= Percent <= 100, 0 <= Least <= 2^32-1
/// Cost: two atomic additions for each call, one compare-exchange and one addition for a retry
/// Metastable above: a load of calls + max(Percent/100 * calls, processes * Least / time-out) that is more
/// than its capacity, for as long as it is down: 83 % at 20 %, and less where many processes have few calls each.
/// Choose it where concurrency is what hurts the server: slow calls, large requests, connection pools. Not for calls
/// that follow one another: one call at a time may always retry, unless `Least` is 0.
/// Source: Envoy's retry budget (budget_percent 20 %, min_retry_concurrency 3), with calls in backoff counted.
template <std::int64_t Percent /*= 20*/, std::int64_t Least /*= 3*/>
class concurrency_budget {
  static constexpr bool is_static = Percent != run_time_count;

 public:
  using role = roles::quota;
  using permit_type = std::uint32_t;           // 1
  static constexpr bool keeps_nothing = true;  // in a snapshot: it ends with the calls
  template <unsigned Stripes>
  using striped_form = detail::striped_concurrency<concurrency_budget, Stripes>;

  constexpr concurrency_budget() noexcept = default;

  constexpr concurrency_budget(detail::any_count percent, detail::any_count least)
    requires(!is_static)
      : percent_{detail::checked(percent.get(), fault_of(percent, least))}, least_{least.get()} {}
  static constexpr detail::value_fault fault_of(detail::any_count percent, detail::any_count least) {
    return detail::value_fault{"concurrency_budget"}
        .within(percent, 0, 100, "percent")
        .within(least, 0, 4'294'967'295, "the least number of retries");
  }

  void on_call(detail::Time auto&& /*now*/) const noexcept { under_way_.fetch_add(one_call); }
  void on_call_end() const noexcept { under_way_.fetch_add(0 - one_call); }

  [[nodiscard]] std::optional<permit_type> try_acquire(failure const& /*f*/) const noexcept {
    auto word = under_way_.load();
    do {
      if (retries_of(word) >= limit(calls_of(word))) return std::nullopt;
    } while (!under_way_.compare_exchange_weak(word, word + one_retry));
    return 1;
  }
  void on_success(permit_type held) const noexcept { release(held); }
  void on_failure(permit_type held) const noexcept { release(held); }
  void release(permit_type held) const noexcept {
    if (held != 0) under_way_.fetch_add(0 - one_retry);
  }

  // For display: they may have changed before they are read.
  [[nodiscard]] std::uint32_t calls() const noexcept { return calls_of(under_way_.load()); }
  [[nodiscard]] std::uint32_t retries() const noexcept { return retries_of(under_way_.load()); }
  /// How many retries may be under way.
  [[nodiscard]] std::uint32_t capacity() const noexcept { return limit(calls()); }
  /// How many more may begin.
  [[nodiscard]] std::uint32_t balance() const noexcept {
    auto const word = under_way_.load();
    auto const most = limit(calls_of(word));
    return most - detail::smaller(most, retries_of(word));
  }

  [[nodiscard]] constexpr std::uint32_t percent() const noexcept { return percent_.get(); }
  [[nodiscard]] constexpr std::uint32_t least() const noexcept { return least_.get(); }

  /// Returns its promises at so many attempts of a call, in closed form: `quota_bounds`. Include anew/bounds.hpp.
  template <class Promise = detail::quota_promise>
  [[nodiscard]] constexpr auto promises(std::uint64_t attempts) const noexcept {
    return Promise::of_concurrency(percent(), attempts);
  }

  [[nodiscard]] std::string describe() const {
    return detail::written("concurrency_budget", std::to_string(percent_.get()) + "%", least_.get());
  }

  static constexpr detail::kept_rules is_sound{is_static, fault_of(Percent, Least)};
  static consteval void explain() {
    static_assert(detail::keeps_rule<concurrency_budget, 1>,
                  "anew::concurrency_budget<Percent> requires 0 <= Percent <= 100; a call has at most one retry in "
                  "flight. Did you mean anew::unlimited_quota?");
    static_assert(detail::keeps_rule<concurrency_budget, 2>,
                  "anew::concurrency_budget<Percent, Least> requires 0 <= Least <= 4294967295; Least is out of "
                  "range. Write the number of retries that are always allowed");
  }

 protected:
  static constexpr std::uint64_t one_retry = 1;
  static constexpr std::uint64_t one_call = std::uint64_t{1} << 32U;
  static constexpr std::uint32_t retries_of(std::uint64_t word) noexcept { return static_cast<std::uint32_t>(word); }
  static constexpr std::uint32_t calls_of(std::uint64_t word) noexcept {
    return static_cast<std::uint32_t>(word >> 32U);
  }
  [[nodiscard]] constexpr std::uint32_t limit(std::uint32_t calls) const noexcept {
    return detail::larger(least_.get(), static_cast<std::uint32_t>(std::uint64_t{percent_.get()} * calls / 100));
  }

  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Percent, concurrency_budget> percent_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Least, concurrency_budget, 1> least_;
  mutable detail::atomic_cell<std::uint64_t> under_way_{0};
};

concurrency_budget(detail::any_count, detail::any_count) -> concurrency_budget<run_time_count, run_time_count>;

}  // namespace anew::inline ANEW_ABI

#endif
