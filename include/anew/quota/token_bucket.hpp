// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_QUOTA_TOKEN_BUCKET_HPP
#define ANEW_QUOTA_TOKEN_BUCKET_HPP

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "anew/config.hpp"
#include "anew/detail/atomic.hpp"
#include "anew/detail/invalid_argument.hpp"
#include "anew/detail/stored.hpp"
#include "anew/failure.hpp"
#include "anew/roles.hpp"

namespace anew::inline ANEW_ABI {

/// What one retry costs, by the kind of error that it follows. The defaults are those of the AWS SDKs since 2026:
/// dear where the service is broken, cheap where it only asks for patience.
struct retry_costs {
  std::uint32_t transient = 14;
  std::uint32_t throttling = 5;
  std::uint32_t timeout = 14;
  std::uint32_t server = 14;
  std::uint32_t client = 14;

  [[nodiscard]] constexpr std::uint32_t of(error_kind kind) const noexcept {
    switch (kind) {
      case error_kind::throttling: return throttling;
      case error_kind::timeout: return timeout;
      case error_kind::server: return server;
      case error_kind::client: return client;
      case error_kind::transient: break;
    }
    return transient;
  }

  friend constexpr bool operator==(retry_costs const&, retry_costs const&) = default;
};

namespace detail {

template <std::int64_t Capacity>
struct capacity_fits_in_32_bits {
  static constexpr bool value = Capacity == run_time_count || std::in_range<std::uint32_t>(Capacity);
};

template <retry_costs Costs>
struct every_cost_is_above_zero {
  static constexpr bool value =
      Costs.transient > 0 && Costs.throttling > 0 && Costs.timeout > 0 && Costs.server > 0 && Costs.client > 0;
};

}  // namespace detail

/// A bucket of tokens that all calls through a strategy share. A retry pays its cost; a success gives back what the
/// last retry of the call paid, or one token when no retry was needed; a call that fails gives nothing back.
///
/// `token_bucket<500>`, `token_bucket<500, retry_costs{.transient = 5, .timeout = 10}>`; `token_bucket{500}`,
/// `token_bucket{500, costs}` and `token_bucket{500, costs, balance}` take values known at run time. The bucket starts full and lives in the strategy: keep the
/// strategy, do not make one per call. It moves, while nobody uses it, and leaves an empty bucket behind; it is never
/// copied, because two copies are two budgets.
///
/// Models: Quota (exact under contention, lock-free, 4 bytes)
/// Formula: granted while balance >= cost(kind); a success gives min(capacity, balance + max(1, what its last retry paid))
/// Requires: 0 <= Capacity <= 2^32-1, costs above zero
/// Cost: a success at a full bucket reads it once and writes nothing; else one compare-exchange
/// Keeps a failed service down above: nothing. Since only successes refill it, a service that is down gets, at a cost
/// of 14, 35 retries per full bucket of 500 and then none. It begins to drain when more than 21.5 % of attempts fail
/// (cost 14, 3 attempts; 24.6 % at 10, 32.1 % at 5).
/// Choose it against any service. Not for a client of few calls that must get through an outage by itself: unlimited_quota.
/// Source: AWS SDK "standard" retry mode; thresholds where 1-p = c*p*(p + ... + p^(m-1)).
template <std::int64_t Capacity = 500, retry_costs Costs = retry_costs{}>
class token_bucket {
  static constexpr bool is_static = Capacity != run_time_count;

 public:
  using role = roles::quota;
  using permit_type = std::uint32_t;

  constexpr token_bucket() noexcept
    requires is_static
      : balance_{detail::stored_count<Capacity, 1>::get()} {}

  template <std::integral Int>
    requires(!is_static)
  constexpr explicit token_bucket(Int capacity, retry_costs costs = retry_costs{})
      : capacity_{checked(capacity)}, costs_{checked(costs)}, balance_{static_cast<std::uint32_t>(capacity)} {}

  /// Starts with `balance` instead of a full bucket: what another process left, or a test wants.
  template <std::integral Int, std::integral Balance>
    requires(!is_static)
  constexpr token_bucket(Int capacity, retry_costs costs, Balance balance)
      : capacity_{checked(capacity)}, costs_{checked(costs)}, balance_{checked_balance(balance, capacity_.get())} {}

  constexpr token_bucket(token_bucket&& other) noexcept
      : capacity_{other.capacity_}, costs_{other.costs_}, balance_{other.balance_.load()} {
    other.balance_.store_release(0);  // the tokens are there once: what was moved from pays for nothing
  }
  token_bucket& operator=(token_bucket&&) = delete;
  token_bucket(token_bucket const&) = delete;
  token_bucket& operator=(token_bucket const&) = delete;
  ~token_bucket() = default;

  /// Takes the cost of one retry. Refuses, and takes nothing, when the balance is below it.
  [[nodiscard]] std::optional<permit_type> try_acquire(failure const& f) const noexcept {
    auto const cost = price(f.kind);
    auto balance = balance_.load();
    do {
      if (balance < cost) return std::nullopt;
    } while (!balance_.compare_exchange_weak(balance, balance - cost));
    return cost;
  }

  /// The call succeeded: `held` is what its last retry paid, 0 when it made none.
  void on_success(permit_type held) const noexcept { release(detail::larger(held, permit_type{1})); }

  /// Gives back `amount`; what exceeds the capacity is lost.
  void release(permit_type amount) const noexcept {
    auto balance = balance_.load();
    if (balance >= capacity()) [[likely]]
      return;
    refill(balance, amount);
  }

  /// What may be spent at this moment. For display: it may have changed before it is read.
  [[nodiscard]] std::uint32_t balance() const noexcept { return balance_.load(); }
  [[nodiscard]] constexpr std::uint32_t capacity() const noexcept { return capacity_.get(); }

  [[nodiscard]] std::string describe() const {
    std::string text{"token_bucket("};
    text.append(std::to_string(capacity()));
    auto const costs = costs_of_retries();
    if (costs != retry_costs{}) {
      for (auto kind : {error_kind::transient, error_kind::throttling, error_kind::timeout, error_kind::server,
                        error_kind::client}) {
        text.append(",").append(to_string(kind)).append("=").append(std::to_string(costs.of(kind)));
      }
    }
    return text.append(")");
  }

  static constexpr bool is_sound =
      detail::capacity_fits_in_32_bits<Capacity>::value && detail::every_cost_is_above_zero<Costs>::value;
  template <class Self>
  static consteval void explain() {
    if constexpr (!detail::capacity_fits_in_32_bits<Capacity>::value) {
      static_assert(detail::capacity_fits_in_32_bits<Capacity>::value,
                    "anew::token_bucket<Capacity> requires 0 <= Capacity <= 4294967295");
    } else {
      static_assert(
          detail::every_cost_is_above_zero<Costs>::value,
          "anew::token_bucket<Capacity, Costs> requires every cost to be above zero: a retry that costs nothing "
          "is not limited. Did you mean anew::unlimited_quota?");
    }
  }

 private:
  struct static_costs {
    constexpr operator retry_costs() const noexcept { return Costs; }  // NOLINT(*-explicit-*)
  };

  [[nodiscard]] constexpr retry_costs costs_of_retries() const noexcept { return costs_; }
  [[nodiscard]] constexpr std::uint32_t price(error_kind kind) const noexcept { return costs_of_retries().of(kind); }

  ANEW_COLD void refill(permit_type balance, permit_type amount) const noexcept {
    for (;;) {
      if (balance >= capacity()) return;
      auto const full = balance + detail::smaller(amount, capacity() - balance);
      if (balance_.compare_exchange_weak(balance, full)) return;
    }
  }

  template <std::integral Int>
  static constexpr std::uint32_t checked(Int capacity) {
    if (!std::in_range<std::uint32_t>(capacity)) {
      detail::invalid_argument("token_bucket", "capacity must be between 0 and 4294967295", std::to_string(capacity));
    }
    return static_cast<std::uint32_t>(capacity);
  }
  template <std::integral Int>
  static constexpr std::uint32_t checked_balance(Int balance, std::uint32_t capacity) {
    if (!std::in_range<std::uint32_t>(balance) || std::cmp_greater(balance, capacity)) {
      detail::invalid_argument("token_bucket", "balance must be between 0 and the capacity",
                               std::to_string(balance) + " (capacity " + std::to_string(capacity) + ")");
    }
    return static_cast<std::uint32_t>(balance);
  }
  static constexpr retry_costs checked(retry_costs costs) {
    for (auto kind :
         {error_kind::transient, error_kind::throttling, error_kind::timeout, error_kind::server, error_kind::client}) {
      if (costs.of(kind) == 0) {
        detail::invalid_argument("token_bucket",
                                 (std::string{"cost of "} + to_string(kind) + " must be above zero").c_str(), "0");
      }
    }
    return costs;
  }

  ANEW_NO_UNIQUE_ADDRESS detail::stored_count<Capacity, 1> capacity_;
  ANEW_NO_UNIQUE_ADDRESS std::conditional_t<is_static, static_costs, retry_costs> costs_;
  mutable detail::atomic_cell<std::uint32_t> balance_;
};

template <std::integral Int>
token_bucket(Int) -> token_bucket<run_time_count>;
template <std::integral Int>
token_bucket(Int, retry_costs) -> token_bucket<run_time_count>;
template <std::integral Int, std::integral Balance>
token_bucket(Int, retry_costs, Balance) -> token_bucket<run_time_count>;

}  // namespace anew::inline ANEW_ABI

#endif
