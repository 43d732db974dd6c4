// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_QUOTA_INTERNAL_STRIPED_QUOTAS_HPP
#define ANEW_POLICIES_QUOTA_INTERNAL_STRIPED_QUOTAS_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/platform/internal/stripe.hpp"
#include "anew/policies/quota/concurrency_budget.hpp"
#include "anew/policies/quota/internal/counted_tenths.hpp"
#include "anew/policies/quota/retry_budget.hpp"
#include "anew/policies/quota/token_bucket.hpp"

// Each striped form is the policy itself, but for what it counts in a cache line for each of some threads.
namespace anew::inline ANEW_ABI::detail {

/// A token bucket whose successes are counted in stripes and taken in by the next retry.
///
/// Deposits commute: min(C, min(C, b + 1) + 1) = min(C, b + 2). So all deposits since the last withdrawal may be applied
/// at once by the next, and every decision equals that of the plain bucket. A stripe counts all that was ever earned in
/// it, modulo 2^32; the word holds the balance, and the sum of the stripes that the balance has taken in.
template <class Bucket, unsigned Stripes>
class striped_bucket : public Bucket {
 public:
  using typename Bucket::permit_type;

  template <class... Values>
    requires std::constructible_from<Bucket, Values...>
  explicit striped_bucket(Values&&... values)
      : Bucket(std::forward<Values>(values)...), word_{word_of(0, this->balance_.load())} {}

  striped_bucket(striped_bucket&& other) noexcept
      : Bucket(std::move(other)), word_{word_of(0, other.balance_now(other.word_.load(), other.sum()))} {
    other.word_.store_release(word_of(other.sum(), 0));  // the tokens exist once
  }
  striped_bucket& operator=(striped_bucket&&) = delete;
  striped_bucket(striped_bucket const&) = delete;
  striped_bucket& operator=(striped_bucket const&) = delete;
  ~striped_bucket() = default;

  [[nodiscard]] std::optional<permit_type> try_acquire(failure const& f) const noexcept {
    auto const price = this->price(f.kind);
    std::uint32_t paid = 0;
    bool const is_granted = take_in([&](std::uint32_t balance) -> std::optional<std::uint32_t> {
      paid = price;
      if (balance < price) {
        if (this->terms_.how != payment::partial || balance == 0) return std::nullopt;
        paid = balance;
      }
      return balance - paid;
    });
    if (!is_granted) return std::nullopt;
    return paid;
  }

  void on_success(permit_type held) const noexcept {
    if (is_full()) return;
    auto const amount = this->refund_after(held);
    held != 0 ? give_back(amount) : earn(amount);
  }
  void release(permit_type amount) const noexcept {
    if (!is_full()) give_back(amount);
  }

  /// The whole tokens that may be spent at this moment. For display: it may have changed before it is read.
  [[nodiscard]] std::uint32_t balance() const noexcept {
    auto const word = word_.load_acquire();
    return balance_now(word, sum()) / this->terms_.given_back.den;
  }
  void run_time_form() const = delete;  // which would not see the stripes

  void walk_state(auto& w) const {
    auto const balance = w.counted(balance_now(word_.load_acquire(), sum()), this->terms_.full);
    if (w.takes()) word_.store_release(word_of(sum(), static_cast<std::uint32_t>(balance)));
  }

 private:
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
    return balance + smaller(more, this->terms_.full - balance);
  }
  [[nodiscard]] bool is_full() const noexcept { return static_cast<std::uint32_t>(word_.load()) >= this->terms_.full; }
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
      return std::optional{balance + smaller(amount, this->terms_.full - balance)};
    });
  }

  /// Takes the stripes in, then changes the balance; false when `change` gives nothing.
  bool take_in(auto const& change) const noexcept {
    auto word = word_.load_acquire();
    for (;;) {
      auto const earned = sum();  // after the word: at least what it has seen
      auto const balance = change(balance_now(word, earned));
      if (!balance) return false;
      if (word_.compare_exchange_weak_acq_rel(word, word_of(earned, *balance))) return true;
    }
  }

  mutable stripe<std::uint32_t> stripes_[Stripes]{};
  alignas(cache_line) mutable atomic_cell<std::uint64_t> word_;
};

/// The events of the last tenths, in a ring for each of some threads, which are read as one ring. A sum may miss an event
/// that is counted at that moment: it is too small then, and never too large.
template <unsigned Stripes>
class striped_tenths {
 public:
  /// Goes on with the counts of one ring.
  explicit striped_tenths(tenths_ring const& counted) noexcept
      : stripes_{{tenths_ring{tenths_ring::snapshot{counted}}}} {}

  void add(tenth_number at) noexcept { mine().add(at); }
  /// A stripe counts up to its share of `most`.
  bool add_or_halve(tenth_number at, std::uint64_t most) noexcept {
    auto& own = mine();
    bool const was_full = own.add_or_halve(at, most / Stripes);
    if (was_full) [[unlikely]]
      halve(at, &own);
    return was_full;
  }
  ANEW_COLD void halve(tenth_number at, tenths_ring const* except = nullptr) noexcept {
    for (auto& each : stripes_) {
      if (&each.ring != except) each.ring.halve(at);
    }
  }

  [[nodiscard]] std::int64_t count_of(tenth_number at) const noexcept {
    std::int64_t all = 0;
    for (auto const& each : stripes_) all += each.ring.count_of(at);
    return smaller(all, std::int64_t{counted_tenth::most});
  }
  [[nodiscard]] bool is_past(tenth_number at) const noexcept {
    bool is = false;
    for (auto const& each : stripes_) is = is || each.ring.is_past(at);
    return is;
  }

  void walk_state(auto& w, tenth_number newest) {
    for (auto& each : stripes_) {
      if (w.takes()) each.ring.clear();
    }
    stripes_[0].ring.walk_state(w, [this](tenth_number at) { return count_of(at); }, newest);
  }

  struct snapshot {
    explicit snapshot(striped_tenths const& counted) noexcept
        : snapshot{counted, std::make_index_sequence<Stripes>{}} {}
    template <std::size_t... Each>
    snapshot(striped_tenths const& counted, std::index_sequence<Each...> /*all*/) noexcept
        : rings{tenths_ring::snapshot{counted.stripes_[Each].ring}...} {}
    [[nodiscard]] tenth_number newest() const noexcept {
      tenth_number found = 0;
      for (auto const& each : rings) found = larger(found, each.newest());
      return found;
    }
    [[nodiscard]] std::int64_t sum(tenth_number last) const noexcept {
      std::int64_t all = 0;
      for (auto const& each : rings) all += each.sum(last);
      return all;
    }

    tenths_ring::snapshot rings[Stripes];
  };

 private:
  struct alignas(cache_line) line_of_ring {
    tenths_ring ring;
  };
  [[nodiscard]] tenths_ring& mine() noexcept { return stripes_[thread_number() % Stripes].ring; }

  line_of_ring stripes_[Stripes];
};

/// A retry budget whose calls are counted in stripes. Retries are counted by the plain budget, in one ring: the last of
/// them sees all others.
template <class Budget, unsigned Stripes>
class alignas(cache_line) striped_budget : public Budget {  // whose own ring of calls is not used
 public:
  using typename Budget::permit_type;

  template <class... Values>
    requires std::constructible_from<Budget, Values...>
  explicit striped_budget(Values&&... values)
      : Budget(std::forward<Values>(values)...), calls_{this->counts_.calls()} {}

  void on_call(time_point now) const noexcept {
    if (this->percent() != 0) calls_.add(this->tenth_at(now));
  }
  [[nodiscard]] std::optional<permit_type> try_acquire(failure const& /*f*/, time_point now) const noexcept {
    return this->acquire_of(this->counts_, calls_, now);
  }
  /// How many retries may be made at that time. For display: it may have changed before it is read.
  [[nodiscard]] std::uint32_t balance(time_point now) const noexcept {
    return this->balance_of(this->counts_, calls_, now);
  }
  void walk_state(auto& w) const { this->counts_.walk_state(w, calls_, this->tenth_at(w.now())); }

 private:
  mutable striped_tenths<Stripes> calls_;
};

/// A budget of retries under way whose calls are counted in stripes, those that began and those that ended apart.
///
/// Both counts only grow, and a retry sums all that began before it sums any that ended: the difference is at most the
/// number of calls under way at the moment between the sums. Counts that went up and down would add a call that has
/// ended to one that began after that. The retries' word changes with each grant, so a compare-exchange of the word
/// that was read before the sums grants only where one word of calls and retries would have granted at that moment.
template <class Budget, unsigned Stripes>
class striped_concurrency
    : public Budget {  // whose word has, for the calls, how many retries were ever granted, mod 2^32
 public:
  using typename Budget::permit_type;

  template <class... Values>
    requires std::constructible_from<Budget, Values...>
  explicit striped_concurrency(Values&&... values) : Budget(std::forward<Values>(values)...) {
    stripes_[0].begun.fetch_add(Budget::calls());
  }

  void on_call(Time auto&& /*now*/) const noexcept { mine().begun.fetch_add_release(1); }
  void on_call_end() const noexcept { mine().ended.fetch_add(1); }

  [[nodiscard]] std::optional<permit_type> try_acquire(failure const& /*f*/) const noexcept {
    auto seen = this->under_way_.load_acquire();
    for (;;) {
      auto const under_way = this->retries_of(seen);
      if (under_way >= this->least() && under_way >= this->limit(calls())) return std::nullopt;
      auto const granted = seen + this->one_call + this->one_retry;
      if (this->under_way_.compare_exchange_weak_acq_rel(seen, granted)) return 1;
    }
  }

  /// The calls under way, or fewer where calls begin and end meanwhile.
  [[nodiscard]] std::uint32_t calls() const noexcept {
    std::uint64_t begun = 0;
    for (auto const& each : stripes_) begun += each.begun.load_acquire();
    std::uint64_t ended = 0;  // from here on: the calls that were read have begun
    for (auto const& each : stripes_) ended += each.ended.load_acquire();
    if (ended >= begun) return 0;
    constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::uint32_t>(detail::smaller(begun - ended, most));
  }
  /// How many retries may be under way.
  [[nodiscard]] std::uint32_t capacity() const noexcept { return this->limit(calls()); }
  /// How many more may begin.
  [[nodiscard]] std::uint32_t balance() const noexcept {
    auto const most = capacity();
    return most - detail::smaller(most, this->retries());
  }

 private:
  struct alignas(cache_line) counts {
    atomic_cell<std::uint64_t> begun{0};
    atomic_cell<std::uint64_t> ended{0};
  };
  [[nodiscard]] counts& mine() const noexcept { return stripes_[thread_number() % Stripes]; }

  mutable counts stripes_[Stripes]{};
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
