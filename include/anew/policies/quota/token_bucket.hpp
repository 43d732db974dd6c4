// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_QUOTA_TOKEN_BUCKET_HPP
#define ANEW_POLICIES_QUOTA_TOKEN_BUCKET_HPP

#include <cstdint>
#include <optional>
#include <string>

#include "anew/base/failure.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/policies/quota/retry_costs.hpp"
#include "anew/roles/quota.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// The tokens that a success returns to a `token_bucket`.
struct refund {
  std::uint32_t num = 1;
  std::uint32_t den = 1;
  bool returns_last_cost = true;  ///< returns the price of the call's last retry, and num/den only when that was zero

  /// Returns the price of the call's last retry; `otherwise` after a call without a retry, or with a retry that cost
  /// nothing.
  [[nodiscard]] static constexpr refund last_cost(std::uint32_t otherwise = 1) noexcept { return {otherwise, 1, true}; }
  /// The same number of tokens for every success, whether the call retried or not.
  [[nodiscard]] static constexpr refund fixed(std::uint32_t tokens) noexcept { return {tokens, 1, false}; }
  /// num/den of a token for every success, whether the call retried or not. Requires: den > 0
  [[nodiscard]] static constexpr refund fraction(std::uint32_t num, std::uint32_t den) noexcept {
    return {num, den, false};
  }

  friend constexpr bool operator==(refund const&, refund const&) = default;
};

/// The behaviour of a `token_bucket` with fewer tokens than a retry costs.
enum class payment : std::uint8_t {
  in_full,  ///< refuses, and takes nothing
  partial,  ///< takes the rest, and refuses when the bucket is empty; as aws-c-io does
};

namespace detail {

/// The cost of an ordinary retry, which a bucket must be able to pay. A kind that costs more than the capacity is never
/// retried, which may be intended; a partial payment takes less.
constexpr std::uint32_t least_capacity(retry_costs const& costs, payment how) noexcept {
  return how == payment::partial ? 0 : costs.transient;
}

struct bucket_terms {
  std::uint32_t full;  // in parts of a token
  retry_costs costs;
  refund given_back;
  payment how;

  [[nodiscard]] constexpr std::uint32_t price(error_kind kind) const noexcept {
    return costs.of(kind) * given_back.den;
  }
  [[nodiscard]] constexpr std::uint32_t refund_after(std::uint32_t held) const noexcept {
    return given_back.returns_last_cost && held != 0 ? held : given_back.num;
  }
};

/// A bucket that lives elsewhere: what every bucket does, compiled once. It counts in parts of a token.
class bucket_view {
 public:
  using role = roles::quota;
  using permit_type = std::uint32_t;

  constexpr bucket_view(bucket_terms const& terms, atomic_cell<std::uint32_t>& balance) noexcept
      : terms_{&terms}, balance_{&balance} {}

  [[nodiscard]] std::optional<permit_type> try_acquire(failure const& f) const noexcept {
    auto cost = terms_->price(f.kind);
    auto balance = balance_->load();
    do {
      if (balance < cost) {
        if (terms_->how != payment::partial || balance == 0) return std::nullopt;
        cost = balance;
      }
    } while (!balance_->compare_exchange_weak(balance, balance - cost));
    return cost;
  }
  ANEW_INLINE void on_success(permit_type held) const noexcept {
    auto const balance = balance_->load();
    if (balance >= terms_->full) [[likely]]
      return;
    refill(*balance_, terms_->full, balance, terms_->refund_after(held));
  }
  ANEW_INLINE void release(permit_type amount) const noexcept {
    auto const balance = balance_->load();
    if (balance >= terms_->full) [[likely]]
      return;
    refill(*balance_, terms_->full, balance, amount);
  }
  [[nodiscard]] constexpr bucket_view run_time_form() const noexcept { return *this; }

 private:
  ANEW_COLD static void refill(atomic_cell<std::uint32_t>& cell, permit_type full, permit_type balance,
                               permit_type amount) noexcept {
    for (;;) {
      if (balance >= full) return;
      auto const next = balance + detail::smaller(amount, full - balance);
      if (cell.compare_exchange_weak(balance, next)) return;
    }
  }

  bucket_terms const* terms_;
  atomic_cell<std::uint32_t>* balance_;
};

template <class Bucket, unsigned Stripes>
class striped_bucket;

}  // namespace detail

/// A bucket of tokens that all calls through a strategy share. A retry pays its cost; a success gives back what the
/// last retry of the call paid, or one token when no retry was needed; a call that fails gives nothing back.
///
/// `token_bucket<500>`, `token_bucket<500, retry_costs::all(5)>`, `token_bucket<500, retry_costs{}, refund::fixed(1)>`;
/// `token_bucket{500}`, `token_bucket{500, costs}`,
/// `token_bucket{500, costs, refund::fraction(1, 10), payment::partial}` take values known at run time,
/// `token_bucket{500, costs, balance}` a balance too. The bucket starts full and lives in the strategy: keep the
/// strategy, do not make one per call. You may move it while nothing uses it; the bucket that you moved from is empty.
/// It is never copied, because two copies are two budgets.
///
/// Models: Quota (exact under contention, lock-free, 4 bytes)
/// Formula: granted while balance >= cost(kind); a success gives min(capacity, balance + max(1, what its last retry paid)),
/// or by its refund
/// Requires: Capacity = 0 (no retry is ever paid for), or at least the cost of a retry after a transient error, and at most 2^32-1; one
/// cost above zero; with refund::fraction(num, den) den > 0, and Capacity*den and cost*den at most 2^32-1
/// Cost: a success at a full bucket reads it once and writes nothing; else one compare-exchange
/// Metastable above: no load. Since only successes refill it, a service that is down gets, at a cost
/// of 14, 35 retries per full bucket of 500 and then none. It begins to drain when more than 21.5 % of attempts fail
/// (cost 14, 3 attempts; 24.6 % at 10, 32.1 % at 5; `promises(attempts)` computes it). With payment::partial each success pays for
/// a retry, however little it gives back: attempts can double. A kind that costs nothing is not limited.
/// Choose it against any service. Not for a client of few calls that must get through an outage by itself: unlimited_quota.
/// Source: AWS SDK "standard" retry mode; thresholds where 1-p = c*p*(p + ... + p^(m-1)). A cost of zero after throttling:
/// the legacy mode of the SDK for Java; fixed refunds: the Smithy "Retries" guide; payment::partial: aws-c-io.
template <std::int64_t Capacity = 500, retry_costs Costs = retry_costs{}, refund Refund = refund{},
          payment Payment = payment::in_full>
class token_bucket {
  static constexpr bool is_static = Capacity != run_time_count;
  template <bool IsSound>
  struct static_terms {
    // A mistake is explained once; the count does not matter then.
    static constexpr detail::bucket_terms value{
        static_cast<std::uint32_t>(IsSound ? Capacity * std::int64_t{Refund.den} : 0), Costs,
        IsSound ? Refund : refund{}, Payment};
    static constexpr auto full = value.full;
    static constexpr retry_costs costs = value.costs;
    static constexpr refund given_back = value.given_back;
    static constexpr payment how = value.how;
  };

 public:
  using role = roles::quota;
  using permit_type = std::uint32_t;
  template <unsigned Stripes>
  using striped_form = detail::striped_bucket<token_bucket, Stripes>;

  constexpr token_bucket() noexcept
    requires is_static
      : balance_{terms::full} {}

  constexpr explicit token_bucket(detail::any_count capacity, retry_costs costs = retry_costs{},
                                  refund given_back = refund{}, payment how = payment::in_full)
    requires(!is_static)
      : terms_{checked(capacity, costs, given_back, how)}, balance_{terms_.full} {}
  static constexpr detail::value_fault fault_of(detail::any_count capacity, retry_costs const& costs, refund given_back,
                                                payment how) {
    constexpr auto of_parts = "capacity and cost, times den of the refund, must be at most 4294967295";
    std::uint64_t const tokens = capacity.get();
    std::uint64_t const dearest = costs.dearest();
    return detail::value_fault{"token_bucket"}
        .within(capacity, 0, 4'294'967'295, "capacity")
        .unless(dearest != 0, "at least one cost must be above zero", "all 0")
        .unless(given_back.den != 0, "den of the refund must be above zero", "0")
        .unless(tokens * given_back.den <= 4'294'967'295U, of_parts, tokens, " * ", given_back.den)
        .unless(dearest * given_back.den <= 4'294'967'295U, of_parts, dearest, " * ", given_back.den)
        .unless(tokens == 0 || tokens >= detail::least_capacity(costs, how),
                "capacity must be 0 or at least the cost of one retry", tokens, " (cost ", costs.transient, ")");
  }

  /// Starts with `balance` instead of a full bucket: the balance of another process, or a test's.
  constexpr token_bucket(detail::any_count capacity, retry_costs costs, detail::any_count balance)
    requires(!is_static)
      : token_bucket{capacity, costs, refund{}, payment::in_full, balance} {}
  constexpr token_bucket(detail::any_count capacity, retry_costs costs, refund given_back, payment how,
                         detail::any_count balance)
    requires(!is_static)
      : terms_{checked(capacity, costs, given_back, how)}, balance_{balance.get() * given_back.den} {
    detail::require(balance.is_within(0, this->capacity()), "token_bucket",
                    "balance must be between 0 and the capacity", balance, " (capacity ", this->capacity(), ")");
  }

  constexpr token_bucket(token_bucket&& other) noexcept : terms_{other.terms_}, balance_{other.balance_.load()} {
    other.balance_.store_release(0);  // the tokens exist once: the bucket moved from pays for nothing
  }
  token_bucket& operator=(token_bucket&&) = delete;
  token_bucket(token_bucket const&) = delete;
  token_bucket& operator=(token_bucket const&) = delete;
  ~token_bucket() = default;

  /// Takes the cost of one retry. Refuses, and takes nothing, when the balance is below it; a partial payment takes the
  /// rest, and refuses when the bucket is empty.
  [[nodiscard]] std::optional<permit_type> try_acquire(failure const& f) const noexcept {
    return run_time_form().try_acquire(f);
  }

  /// The call succeeded: `held` is what its last retry paid, 0 when it made none.
  ANEW_INLINE void on_success(permit_type held) const noexcept { run_time_form().on_success(held); }

  /// Returns `amount`, in the units of a permit; tokens above the capacity are lost.
  void release(permit_type amount) const noexcept { run_time_form().release(amount); }

  /// The same bucket, whatever its numbers.
  [[nodiscard]] ANEW_INLINE constexpr detail::bucket_view run_time_form() const noexcept {
    return {all_terms(), balance_};
  }
  /// The terms of the bucket, for a bucket that is counted in another way.
  [[nodiscard]] ANEW_INLINE constexpr detail::bucket_terms const& all_terms() const noexcept {
    if constexpr (is_static) {
      return terms::value;
    } else {
      return terms_;
    }
  }

  /// The whole tokens that may be spent at this moment. For display: it may have changed before it is read.
  [[nodiscard]] std::uint32_t balance() const noexcept { return balance_.load() / terms_.given_back.den; }
  [[nodiscard]] constexpr std::uint32_t capacity() const noexcept { return terms_.full / terms_.given_back.den; }

  /// Returns its promises at so many attempts of a call, in closed form: `quota_bounds`. Include anew/bounds.hpp.
  template <class Promise = detail::quota_promise>
  [[nodiscard]] constexpr auto promises(std::uint64_t attempts) const noexcept {
    return Promise::of_bucket(all_terms(), attempts);
  }

  [[nodiscard]] std::string describe() const {
    retry_costs const costs = terms_.costs;
    refund const back = terms_.given_back;
    std::string returned{back.returns_last_cost ? "otherwise=" : "refund="};
    returned.append(std::to_string(back.num));
    if (back.den != 1) returned.append("/").append(std::to_string(back.den));
    return detail::written("token_bucket", capacity(), detail::text_if(costs != retry_costs{}, costs),
                           detail::text_if(back != refund{}, returned),
                           detail::text_if(terms_.how == payment::partial, "partial"));
  }

  /// Reads or writes the state: anew/state/saved_state.hpp.
  void walk_state(auto& w) const { w.count(balance_, all_terms().full); }

  static constexpr detail::kept_rules is_sound{is_static, fault_of(Capacity, Costs, Refund, Payment)};
  static consteval void explain() {
    static_assert(detail::keeps_rule<token_bucket, 1>,
                  "anew::token_bucket<Capacity> requires 0 <= Capacity <= 4294967295; Capacity is out of range. "
                  "Write the number of tokens of a full bucket, or use anew::unlimited_quota for no limit");
    static_assert(detail::keeps_rule<token_bucket, 2>,
                  "anew::token_bucket<Capacity, Costs> requires at least one cost above zero; retries that cost "
                  "nothing are not limited. Did you mean anew::unlimited_quota?");
    static_assert(detail::keeps_rule<token_bucket, 3>,
                  "anew::refund::fraction(num, den) requires den > 0; den is 0. Write fraction(1, 2) for half a token");
    static_assert(detail::keeps_rule<token_bucket, 4, 5>,
                  "anew::token_bucket<Capacity, Costs, anew::refund::fraction(num, den)> requires Capacity * den <= "
                  "4294967295, and the same of every cost; the bucket counts in 1/den of a token. Use a smaller den");
    static_assert(detail::keeps_rule<token_bucket, 6>,
                  "anew::token_bucket<Capacity> requires Capacity = 0 or at least the cost of one retry, 14 by "
                  "default; Capacity counts tokens, not retries. Write anew::token_bucket<140> for 10 retries");
  }

 protected:
  using terms = std::conditional_t<is_static, static_terms<is_sound>, detail::bucket_terms>;

  [[nodiscard]] constexpr std::uint32_t price(error_kind kind) const noexcept { return all_terms().price(kind); }
  [[nodiscard]] constexpr permit_type refund_after(permit_type held) const noexcept {
    return all_terms().refund_after(held);
  }

  static constexpr detail::bucket_terms checked(detail::any_count capacity, retry_costs costs, refund given_back,
                                                payment how) {
    detail::require_none(fault_of(capacity, costs, given_back, how));
    return {capacity.get() * given_back.den, costs, given_back, how};
  }

  ANEW_NO_UNIQUE_ADDRESS terms terms_;
  mutable detail::atomic_cell<std::uint32_t> balance_;
};

token_bucket(detail::any_count, retry_costs = {}, refund = {}, payment = {}) -> token_bucket<run_time_count>;
token_bucket(detail::any_count, retry_costs, detail::any_count) -> token_bucket<run_time_count>;
token_bucket(detail::any_count, retry_costs, refund, payment, detail::any_count) -> token_bucket<run_time_count>;

}  // namespace anew::inline ANEW_ABI

#endif
