// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_QUOTA_INTERNAL_STRIPED_BUCKET_HPP
#define ANEW_POLICIES_QUOTA_INTERNAL_STRIPED_BUCKET_HPP

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/platform/internal/stripe.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/roles/quota.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Reads the terms of a plain bucket, in parts of a token, for a bucket that is counted in another way.
struct bucket_access {
  static constexpr bucket_terms const& terms(auto const& bucket) noexcept { return bucket.all_terms(); }
  static constexpr std::uint32_t full(auto const& bucket) noexcept { return bucket.terms_.full; }
  static constexpr std::uint32_t balance(auto const& bucket) noexcept { return bucket.balance_.load(); }
  static constexpr std::uint32_t parts_of_a_token(auto const& bucket) noexcept { return bucket.terms_.given_back.den; }
  static constexpr std::uint32_t price(auto const& bucket, error_kind kind) noexcept { return bucket.price(kind); }
  static constexpr bool pays_in_part(auto const& bucket) noexcept { return bucket.terms_.how == payment::partial; }
  static constexpr std::uint32_t refund_after(auto const& bucket, std::uint32_t held) noexcept {
    return bucket.refund_after(held);
  }
};

/// A token bucket whose successes are counted in stripes and taken in by the next retry.
///
/// Deposits commute: min(C, min(C, b + 1) + 1) = min(C, b + 2). So all deposits since the last withdrawal may be applied
/// at once by the next, and every decision equals that of the plain bucket. A stripe counts all that was ever earned in
/// it, modulo 2^32; the word holds the balance, and the sum of the stripes that the balance has taken in.
template <class Bucket, unsigned Stripes>
class striped_bucket {
 public:
  using role = roles::quota;
  using permit_type = typename Bucket::permit_type;

  striped_bucket() noexcept
    requires std::default_initializable<Bucket>
      : word_{word_of(0, access::balance(terms_))} {}
  template <class... Values>
    requires(sizeof...(Values) > 0 && std::constructible_from<Bucket, Values...>)
  explicit striped_bucket(Values&&... values)
      : terms_{std::forward<Values>(values)...}, word_{word_of(0, access::balance(terms_))} {}

  striped_bucket(striped_bucket&& other) noexcept
      : terms_{std::move(other.terms_)}, word_{word_of(0, other.balance_now(other.word_.load(), other.sum()))} {
    other.word_.store_release(word_of(other.sum(), 0));  // the tokens exist once
  }
  striped_bucket& operator=(striped_bucket&&) = delete;
  striped_bucket(striped_bucket const&) = delete;
  striped_bucket& operator=(striped_bucket const&) = delete;
  ~striped_bucket() = default;

  [[nodiscard]] std::optional<permit_type> try_acquire(failure const& f) const noexcept {
    auto const price = access::price(terms_, f.kind);
    std::uint32_t paid = 0;
    bool const is_granted = take_in([&](std::uint32_t balance) -> std::optional<std::uint32_t> {
      paid = price;
      if (balance < price) {
        if (!access::pays_in_part(terms_) || balance == 0) return std::nullopt;
        paid = balance;
      }
      return balance - paid;
    });
    if (!is_granted) return std::nullopt;
    return paid;
  }

  void on_success(permit_type held) const noexcept {
    if (is_full()) return;
    auto const amount = access::refund_after(terms_, held);
    held != 0 ? give_back(amount) : earn(amount);
  }
  void release(permit_type amount) const noexcept {
    if (!is_full()) give_back(amount);
  }

  /// The whole tokens that may be spent at this moment. For display: it may have changed before it is read.
  [[nodiscard]] std::uint32_t balance() const noexcept {
    auto const word = word_.load_acquire();
    return balance_now(word, sum()) / access::parts_of_a_token(terms_);
  }
  [[nodiscard]] constexpr std::uint32_t capacity() const noexcept { return terms_.capacity(); }

  [[nodiscard]] std::string describe() const { return terms_.describe(); }
  template <class Promise = quota_promise>
  [[nodiscard]] constexpr auto promises(std::uint64_t attempts) const noexcept {
    return terms_.template promises<Promise>(attempts);
  }

 private:
  friend kept_state<striped_bucket>;
  using access = bucket_access;

  /// After so many parts, the thread that passes the mark takes the stripes in, so that a full bucket is known to be full and
  /// successes write no more. No decision depends on it. The stripes differ from `seen` by at most a mark for each
  /// stripe and thread, so that 32 bits cannot wrap in between.
  static constexpr std::uint32_t mark = 1024;

  static constexpr std::uint64_t word_of(std::uint32_t seen, std::uint32_t balance) noexcept {
    return std::uint64_t{seen} << 32U | balance;
  }
  [[nodiscard]] std::uint32_t balance_now(std::uint64_t word, std::uint32_t earned) const noexcept {
    auto const balance = static_cast<std::uint32_t>(word);
    auto const more = earned - static_cast<std::uint32_t>(word >> 32U);
    return balance + smaller(more, access::full(terms_) - balance);
  }
  [[nodiscard]] bool is_full() const noexcept {
    return static_cast<std::uint32_t>(word_.load()) >= access::full(terms_);
  }
  [[nodiscard]] std::uint32_t sum() const noexcept {
    std::uint32_t earned = 0;
    for (auto const& each : stripes_) earned += each.count.load_acquire();
    return earned;
  }

  void earn(std::uint32_t amount) const noexcept {
    if (amount >= mark) return give_back(amount);  // a stripe holds no more than its mark, unseen
    auto& mine = stripes_[thread_number() % Stripes].count;
    auto const before = mine.fetch_add(amount);
    if ((before % mark) + amount >= mark) take_in([](std::uint32_t balance) { return std::optional{balance}; });
  }
  /// At once: a bucket whose retries were paid back has to be seen to be full.
  ANEW_COLD void give_back(std::uint32_t amount) const noexcept {
    take_in([this, amount](std::uint32_t balance) {
      return std::optional{balance + smaller(amount, access::full(terms_) - balance)};
    });
  }

  /// Takes the stripes in, then changes the balance; false when `change` gives nothing.
  template <class Change>
  bool take_in(Change const& change) const noexcept {
    auto word = word_.load_acquire();
    for (;;) {
      auto const earned = sum();  // after the word: at least what it has seen
      auto const balance = change(balance_now(word, earned));
      if (!balance) return false;
      if (word_.compare_exchange_weak_acq_rel(word, word_of(earned, *balance))) return true;
    }
  }

  Bucket terms_;
  mutable stripe<std::uint32_t> stripes_[Stripes]{};
  alignas(cache_line) mutable atomic_cell<std::uint64_t> word_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
