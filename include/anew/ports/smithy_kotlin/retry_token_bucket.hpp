// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_RETRY_TOKEN_BUCKET_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_RETRY_TOKEN_BUCKET_HPP

#include "anew/base/internal/immovable.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/ports/smithy_kotlin/retry_directive.hpp"

#if ANEW_EXCEPTIONS

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/platform/internal/fork_safe_mutex.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/ports/smithy_kotlin/backoff_delayer.hpp"

namespace anew::inline ANEW_ABI::smithy_kotlin {

/// Thrown by a token bucket that has too little left and does not wait.
struct ANEW_VISIBLE retry_capacity_exceeded : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The capacity that a token took from its bucket and that a success refunds, and how long until time has brought it.
struct token_charge {
  std::uint32_t cost = 0;
  std::uint32_t reward = 0;
  duration wait{};
  friend constexpr bool operator==(token_charge, token_charge) = default;
};

class retry_token_bucket;

namespace detail {

struct quota_of_bucket;  // a strategy asks the bucket without waiting

}  // namespace detail

/// The right to make one attempt. One of the three notifications resolves it, once. A token that is destroyed or closed
/// before is released: the attempt was not made, and its cost is refunded. Used by one thread at a time. It refers to
/// its bucket.
class [[nodiscard]] retry_token {
 public:
  /// The attempt succeeded, and the call is over. Throws std::invalid_argument if the token is already resolved.
  void notify_success();

  /// The attempt failed, and the call is over. Throws as above.
  void notify_failure();

  /// The attempt failed, and another one follows: takes its cost, waits until it is there, and returns its token. Throws
  /// as above, and retry_capacity_exceeded. Then nothing was taken, and this token is unchanged.
  [[nodiscard]] retry_token schedule_retry(retry_error_type reason);

  /// Refunds an unresolved token.
  void close() noexcept { bucket_.reset(); }

  [[nodiscard]] bool is_resolved() const noexcept { return bucket_ == nullptr; }

 private:
  friend retry_token_bucket;
  struct refund {
    token_charge charge;
    void operator()(retry_token_bucket* bucket) const noexcept;
  };
  retry_token(retry_token_bucket& bucket, token_charge charge) noexcept : bucket_{&bucket, refund{charge}} {}

  [[nodiscard]] retry_token_bucket& unresolved() const {
    anew::detail::require(!is_resolved(), "smithy_kotlin::retry_token", "a token must be used once",
                          "resolved already");
    return *bucket_;
  }

  std::unique_ptr<retry_token_bucket, refund> bucket_;
};

/// Limits what all calls together spend on retries. The tokens ensure that everything taken comes to exactly one of
/// `on_success`, `on_failure` and `on_release`; your own bucket overrides the protected functions. Used by many threads
/// at once. It outlives its tokens.
class retry_token_bucket : pinned::immovable<retry_token_bucket> {
 public:
  virtual ~retry_token_bucket() = default;

  /// The token of a first attempt, which does not wait. Throws retry_capacity_exceeded.
  [[nodiscard]] retry_token acquire_token() { return {*this, take_for_first_try()}; }

  /// The token of a first attempt that is made although the bucket refused it.
  [[nodiscard]] retry_token uncharged_token() noexcept { return {*this, uncharged()}; }

 protected:
  explicit retry_token_bucket(std::shared_ptr<time_source const> time = system_time()) : time_{std::move(time)} {
    anew::detail::require(time_ != nullptr, "smithy_kotlin::retry_token_bucket", "time must not be null", "null");
  }
  [[nodiscard]] time_source const& time() const noexcept { return *time_; }

  /// Takes the cost of a first attempt, or throws.
  [[nodiscard]] virtual token_charge take_for_first_try() = 0;
  /// Takes the cost of a retry, or throws. The retry waits for `wait`, and is refunded when it cannot.
  [[nodiscard]] virtual token_charge take_for_retry(retry_error_type reason) = 0;
  /// The state of a first attempt for which nothing was taken.
  [[nodiscard]] virtual token_charge uncharged() const noexcept { return {}; }

  virtual void on_success(token_charge charge) noexcept = 0;
  /// The attempt was made and failed. Does nothing: its cost is spent.
  virtual void on_failure(token_charge /*charge*/) noexcept {}
  /// The attempt was not made: its cost is refunded.
  virtual void on_release(token_charge charge) noexcept = 0;

 private:
  friend retry_token;
  friend detail::quota_of_bucket;

  std::shared_ptr<time_source const> time_;
};

inline void retry_token::notify_success() {
  unresolved().on_success(bucket_.get_deleter().charge);
  (void)bucket_.release();
}

inline void retry_token::notify_failure() {
  unresolved().on_failure(bucket_.get_deleter().charge);
  (void)bucket_.release();
}

inline retry_token retry_token::schedule_retry(retry_error_type reason) {
  auto& bucket = unresolved();
  retry_token next{bucket, bucket.take_for_retry(reason)};
  if (auto const wait = next.bucket_.get_deleter().charge.wait; wait > duration::zero()) bucket.time().pause(wait);
  notify_failure();
  return next;
}

inline void retry_token::refund::operator()(retry_token_bucket* bucket) const noexcept { bucket->on_release(charge); }

/// A bucket that never refuses and never waits: for waiters, which poll until it is time to give up.
class infinite_token_bucket final : public retry_token_bucket {
 private:
  [[nodiscard]] token_charge take_for_first_try() override { return {}; }
  [[nodiscard]] token_charge take_for_retry(retry_error_type /*reason*/) override { return {}; }
  void on_success(token_charge /*charge*/) noexcept override {}
  void on_release(token_charge /*charge*/) noexcept override {}
};

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
/// nothing. With a refill it lends the missing units, and the retry waits until time has brought them; a retry that its
/// call's time does not permit is refunded. A cost above the capacity is refused at once. Fractions of a unit are kept
/// exactly.
///
/// Requires: costs of retries above zero; a refill with a denominator above zero
/// Cost: a lock for some nanoseconds; the clock is read where time refills it
/// Metastable above: no load in circuit-breaker mode; else its refill, from each process that has one
/// Choose the circuit breaker. The waiting mode is for calls that must get through, with a `max_time`.
class standard_retry_token_bucket : public retry_token_bucket {
 public:
  explicit standard_retry_token_bucket(standard_retry_token_bucket_options const& options = {},
                                       std::shared_ptr<time_source const> time = system_time())
      : retry_token_bucket{std::move(time)},
        options_{checked(options)},
        refilled_at_{refills() ? this->time().now() : time_point{}} {}

  [[nodiscard]] standard_retry_token_bucket_options const& options() const noexcept { return options_; }

  /// How many whole units are available now. For display: the value may be outdated when you read it.
  [[nodiscard]] std::uint32_t balance() const {
    auto const lock = locked();
    refill();
    auto const full = parts(options_.capacity);
    return missing_ >= full ? 0 : static_cast<std::uint32_t>((full - missing_) / parts(1));
  }

 protected:
  [[nodiscard]] token_charge take_for_first_try() override {
    return take(options_.initial_try_cost, options_.initial_try_success_increment);
  }
  [[nodiscard]] token_charge take_for_retry(retry_error_type reason) override {
    auto const cost = options_.retry_cost.of(to_error_kind(reason));
    return take(cost, cost);
  }
  /// A success adds its increment although nothing was taken; otherwise an empty bucket could never recover.
  [[nodiscard]] token_charge uncharged() const noexcept override {
    return {0, options_.initial_try_success_increment, {}};
  }
  void on_success(token_charge charge) noexcept override { give(charge.reward); }
  void on_release(token_charge charge) noexcept override { give(charge.cost); }

 private:
  using parts_type = anew::detail::uint128;  // of a unit: a nanosecond brings a whole number of them

  [[nodiscard]] bool refills() const noexcept { return options_.refill_units_per_second.num > 0; }
  [[nodiscard]] parts_type parts(std::uint32_t units) const noexcept {
    return static_cast<parts_type>(std::uint64_t{options_.refill_units_per_second.den} * 1'000'000'000) * units;
  }

  /// A forked child whose parent was changing the balance in another thread begins with a full bucket.
  [[nodiscard]] anew::detail::fork_safe_lock locked() const {
    return {mutex_, [this] { missing_ = 0; }};
  }
  void refill() const {
    if (!refills()) return;
    auto const now = anew::detail::larger(time().now(), refilled_at_);
    auto const passed = anew::detail::saturating_subtract(now, std::exchange(refilled_at_, now)).count();
    add(static_cast<parts_type>(passed) * options_.refill_units_per_second.num);
  }

  token_charge take(std::uint32_t cost, std::uint32_t reward) {
    if (cost == 0) return {0, reward, {}};
    auto const lock = locked();
    refill();
    auto const full = parts(options_.capacity);
    auto const after = missing_ + parts(cost);
    bool const lends = refills() && !options_.use_circuit_breaker_mode && cost <= options_.capacity;
    if (after > full && !lends) {
      throw retry_capacity_exceeded{std::string{"anew::smithy_kotlin: not enough retry capacity: "}
                                        .append(std::to_string(cost))
                                        .append(" wanted")};
    }
    missing_ = after;
    if (after <= full) return {cost, reward, {}};
    parts_type const per_nanosecond = options_.refill_units_per_second.num;
    auto const wait = (after - full + per_nanosecond - 1) / per_nanosecond;
    constexpr auto most = static_cast<parts_type>(duration::max().count());
    return {cost, reward, duration{static_cast<std::int64_t>(wait < most ? wait : most)}};
  }

  void give(std::uint32_t units) noexcept {
    auto const lock = locked();
    add(parts(units));
  }
  void add(parts_type more) const noexcept { missing_ -= more < missing_ ? more : missing_; }

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
  mutable anew::detail::fork_safe_mutex mutex_;
  mutable parts_type missing_{};  // to be full; more than the capacity where units are lent
  mutable time_point refilled_at_;
};

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#endif  // ANEW_EXCEPTIONS

#endif
