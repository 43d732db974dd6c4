// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_STANDARD_RETRY_TOKEN_BUCKET_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_STANDARD_RETRY_TOKEN_BUCKET_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/ports/smithy_kotlin/without_exceptions.hpp"
#if ANEW_EXCEPTIONS

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/platform/internal/fork_safe_mutex.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/base/platform/internal/test_mode.hpp"
#include "anew/policies/backoff/exponential.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/ports/smithy_kotlin/retry_directive.hpp"
#include "anew/ports/smithy_kotlin/retry_token_bucket.hpp"
#include "anew/ports/smithy_kotlin/time_source.hpp"

namespace anew::inline ANEW_ABI::smithy_kotlin {

/// The numbers of 2026. `retry_cost` is by the reason of the retry; `refill_units_per_second` may be a fraction:
/// `{1, 1000}` is one unit in 1000 seconds.
struct standard_retry_token_bucket_options {
  std::uint32_t capacity = 500;
  std::uint32_t initial_try_cost = 0;
  std::uint32_t initial_try_success_increment = 1;
  retry_costs retry_cost{};
  rational refill_units_per_second = rational{0};
  /// Whether to refuse when it is short, although time refills it. A bucket that time does not refill always refuses.
  bool use_circuit_breaker_mode = false;

  /// The numbers before 2026: 5, and 10 after throttling, time-outs and broken connections.
  [[nodiscard]] static standard_retry_token_bucket_options before_2026() noexcept {
    standard_retry_token_bucket_options options{};
    options.retry_cost = {.transient = 10, .throttling = 10, .timeout = 10, .server = 5, .client = 5};
    return options;
  }
};

/// A bucket of `capacity` units. A first attempt takes `initial_try_cost`, a retry the cost of its reason. The success
/// of a retry refunds its cost, that of a first attempt adds `initial_try_success_increment`; a failure refunds
/// nothing.
///
/// Without a refill it is in circuit-breaker mode: it throws retry_capacity_exceeded when it is short, and takes
/// nothing. With a refill it waits for the missing units, as long as the wait limit permits, and checks again, because
/// another call may have been faster. It holds no lock while it waits, keeps fractions of a unit exactly, and loses no
/// refill meanwhile. A cost above the capacity is refused at once.
///
/// Requires: costs of retries above zero; a refill with a denominator above zero
/// Cost: a lock for some nanoseconds; the clock is read where time refills it
/// Metastable above: no load in circuit-breaker mode; else its refill, from each process that has one
/// Choose the circuit breaker. The waiting mode is for calls that must get through, with a `max_time`.
class standard_retry_token_bucket : public retry_token_bucket {
 public:
  explicit standard_retry_token_bucket(standard_retry_token_bucket_options const& options = {},
                                       std::shared_ptr<time_source const> time = system_time())
      : options_{checked(options)},
        time_{checked(std::move(time))},
        parts_per_unit_{std::uint64_t{options.refill_units_per_second.den} * 1'000'000'000},
        balance_{parts(options.capacity)},
        refilled_at_{refills() ? time_->now() : time_point{}} {}

 private:
  /// For a forked child whose parent was changing the balance in another thread: one of the two words may be old.
  [[nodiscard]] auto begins_full() const noexcept {
    return [this] { balance_ = parts(options_.capacity); };
  }

 public:
  [[nodiscard]] standard_retry_token_bucket_options const& options() const noexcept { return options_; }

  /// How many whole units are available now. For display: the value may be outdated when you read it.
  [[nodiscard]] std::uint32_t balance() const {
    anew::detail::fork_safe_lock const lock{mutex_, begins_full()};
    refill();
    return static_cast<std::uint32_t>(balance_ / parts_per_unit_);
  }
  /// The part of the next unit that is there already, out of `parts_per_unit()`.
  [[nodiscard]] std::uint64_t fraction() const {
    anew::detail::fork_safe_lock const lock{mutex_, begins_full()};
    refill();
    return static_cast<std::uint64_t>(balance_ % parts_per_unit_);
  }
  [[nodiscard]] std::uint64_t parts_per_unit() const noexcept { return parts_per_unit_; }

 protected:
  [[nodiscard]] token_charge take_for_first_try(wait_limit const& limit) override {
    take(options_.initial_try_cost, limit);
    return {options_.initial_try_cost, options_.initial_try_success_increment};
  }
  [[nodiscard]] token_charge take_for_retry(retry_error_type reason, wait_limit const& limit) override {
    auto const cost = options_.retry_cost.of(to_error_kind(reason));
    take(cost, limit);
    return {cost, cost};
  }
  /// A success adds its increment although nothing was taken; otherwise an empty bucket could never recover.
  [[nodiscard]] token_charge uncharged() const noexcept override { return {0, options_.initial_try_success_increment}; }
  void on_success(token_charge charge) noexcept override { give(charge.reward); }
  void on_release(token_charge charge) noexcept override { give(charge.cost); }

 private:
  using parts_type = anew::detail::uint128;  // of a unit: a nanosecond brings a whole number of them

  [[nodiscard]] bool refills() const noexcept { return options_.refill_units_per_second.num > 0; }
  [[nodiscard]] bool waits() const noexcept { return refills() && !options_.use_circuit_breaker_mode; }
  [[nodiscard]] parts_type parts(std::uint32_t units) const noexcept {
    return static_cast<parts_type>(units) * parts_per_unit_;
  }

  void take(std::uint32_t cost, wait_limit const& limit) {
    if (cost == 0) return;
    time_point slept_until{time_point::min()};
    for (;;) {
      auto const due = try_take(cost, slept_until);
      if (!due) return;
      if (!waits() || cost > options_.capacity) {
        std::string text{"anew::smithy_kotlin: not enough retry capacity: "};
        throw retry_capacity_exceeded{text.append(std::to_string(cost)).append(" wanted")};
      }
      sleep_within(*time_, due->missing, limit);
      // Treat the requested wait as elapsed, so that a sleeper that does not wait cannot spin.
      slept_until = due->at;
    }
  }

  /// When the missing units will be there, unless another call takes them.
  struct shortage {
    duration missing;
    time_point at;
  };

  /// Nothing when it was taken.
  [[nodiscard]] std::optional<shortage> try_take(std::uint32_t cost, time_point at_least) {
    anew::detail::fork_safe_lock const lock{mutex_, begins_full()};
    refill(at_least);
    auto const price = parts(cost);
    if (balance_ >= price) {
      balance_ -= price;
      return std::nullopt;
    }
    if (!refills()) return shortage{duration::max(), time_point::max()};
    parts_type const per_nanosecond = options_.refill_units_per_second.num;
    auto const wait = (price - balance_ + per_nanosecond - 1) / per_nanosecond;
    constexpr auto most = static_cast<parts_type>(duration::max().count());
    duration const missing{static_cast<std::int64_t>(wait < most ? wait : most)};
    return shortage{missing, anew::detail::saturating_add(refilled_at_, missing)};
  }

  void refill(time_point at_least = time_point::min()) const {
    if (!refills()) return;
    auto const now = anew::detail::larger(time_->now(), at_least);
    if (now <= refilled_at_) return;
    auto const passed = anew::detail::saturating_subtract(now, refilled_at_).count();
    add(static_cast<parts_type>(passed) * options_.refill_units_per_second.num);
    refilled_at_ = now;
  }

  void give(std::uint32_t units) noexcept {
    anew::detail::fork_safe_lock const lock{mutex_, begins_full()};
    add(parts(units));
  }
  void add(parts_type more) const noexcept {
    auto const room = parts(options_.capacity) - balance_;
    balance_ += more < room ? more : room;
  }

  static std::shared_ptr<time_source const> checked(std::shared_ptr<time_source const> time) {
    anew::detail::require(time != nullptr, "smithy_kotlin::standard_retry_token_bucket", "time must not be null",
                          "null");
    return time;
  }
  static standard_retry_token_bucket_options const& checked(standard_retry_token_bucket_options const& options) {
    constexpr auto name = "smithy_kotlin::standard_retry_token_bucket";
    for (auto kind : anew::detail::every_kind) {
      if (options.retry_cost.of(kind) != 0) continue;
      auto const requirement = std::string{"retry_cost of "}.append(to_string(kind)).append(" must be above zero");
      anew::detail::invalid_argument(name, requirement.c_str(), "0");
    }
    anew::detail::require(options.refill_units_per_second.den != 0, name,
                          "refill_units_per_second must have a denominator above zero", "0");
    return options;  // NOLINT(bugprone-return-const-ref-from-parameter): copied at once
  }

  standard_retry_token_bucket_options options_;
  std::shared_ptr<time_source const> time_;
  std::uint64_t parts_per_unit_;
  mutable anew::detail::fork_safe_mutex mutex_;
  mutable parts_type balance_;
  mutable time_point refilled_at_;
};

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#endif  // ANEW_EXCEPTIONS
#endif
