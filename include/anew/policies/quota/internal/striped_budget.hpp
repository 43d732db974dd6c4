// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_QUOTA_INTERNAL_STRIPED_BUDGET_HPP
#define ANEW_POLICIES_QUOTA_INTERNAL_STRIPED_BUDGET_HPP

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/platform/internal/stripe.hpp"
#include "anew/policies/quota/internal/counted_tenths.hpp"
#include "anew/policies/quota/retry_budget.hpp"
#include "anew/roles/quota.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI::detail {

/// The calls of the last tenths, in a ring for each of some threads.
///
/// A tenth that is over is summed once: the sum of the nine tenths before a head is cached, tagged with the head's
/// number, in two alternating words. Calls only grow in number, so a sum that missed one is too small and never too large.
/// A thread that does not find the sum that it needs sums for itself; none waits.
template <unsigned Stripes>
class striped_calls {
 public:
  constexpr striped_calls() noexcept = default;
  /// Goes on with the calls of one ring.
  explicit striped_calls(tenths_ring::snapshot const& calls) noexcept
      : rings_{{tenths_ring{calls}}}, newest_{calls.newest()} {}

  void add(tenth_number number) noexcept {
    auto const newest = newest_.load();
    if (newest < number) see(number);
    rings_[thread_number() % Stripes].ring.add(number);
    if (number < newest) forget_sums();
  }

  class snapshot {
   public:
    explicit snapshot(striped_calls const& of) noexcept : of_{&of} {}
    /// The newest tenth in which a call was made, or a retry asked for.
    [[nodiscard]] tenth_number newest() const noexcept { return of_->newest_.load(); }
    /// The counts of the window that ends with tenth `last`.
    [[nodiscard]] std::int64_t sum(tenth_number last) const noexcept { return of_->sum(last, tenths_ring::window); }
    /// Whether the window that ends with `head` has enough. The current tenth, to which other processors write, is
    /// read only when the older ones are not enough.
    template <class IsEnough>
    [[nodiscard]] bool have(tenth_number head, IsEnough const& is_enough) const noexcept {
      auto const older = of_->older(head);
      return is_enough(older) || is_enough(older + of_->count_of(head));
    }

   private:
    striped_calls const* of_;
  };

 private:
  friend kept_state<striped_calls>;
  struct alignas(cache_line) line_of_ring {
    tenths_ring ring;
  };

  // A sum that is kept: 38 bits number of the head | 26 bits sum. A larger sum is not kept.
  static constexpr unsigned sum_bits = 64 - counted_tenth::number_bits;
  static constexpr std::uint64_t too_large = (std::uint64_t{1} << sum_bits) - 1;

  void see(tenth_number number) const noexcept {
    auto newest = newest_.load();
    while (newest < number && !newest_.compare_exchange_weak(newest, number)) {
    }
  }
  /// A call was late: it may belong to a sum that was taken before.
  ANEW_COLD void forget_sums() const noexcept {
    for (auto& each : older_) {
      if (each.word.load() != 0) each.word.store_release(0);
    }
  }

  [[nodiscard]] std::int64_t older(tenth_number head) const noexcept {
    auto const kept = older_[head % 2].word.load();
    if (kept >> sum_bits == head) return static_cast<std::int64_t>(kept & too_large);
    return sum_older(head);
  }
  [[nodiscard]] ANEW_COLD std::int64_t sum_older(tenth_number head) const noexcept {
    see(head);  // so that a call from before knows that it is late
    auto const all = sum(head - 1, tenths_ring::window - 1);
    auto const count = static_cast<std::uint64_t>(all);
    if (count < too_large) older_[head % 2].word.store_release(head << sum_bits | count);
    return all;
  }
  [[nodiscard]] std::int64_t sum(tenth_number last, unsigned tenths) const noexcept {
    std::int64_t all = 0;
    for (auto const& each : rings_) all += tenths_ring::snapshot{each.ring}.sum(last, tenths);
    return all;
  }
  [[nodiscard]] std::int64_t count_of(tenth_number number) const noexcept {
    std::int64_t all = 0;
    for (auto const& each : rings_) all += each.ring.count_of(number);
    return all;
  }

  struct cell {
    atomic_cell<std::uint64_t> word{0};
  };

  line_of_ring rings_[Stripes]{};
  // Written once a tenth, so that all processors may read it.
  alignas(cache_line) mutable atomic_cell<tenth_number> newest_{0};
  mutable cell older_[2];
};

/// A retry budget whose calls are counted in stripes. Retries are counted by the plain budget, in one ring: the last of
/// them sees all others.
template <class Budget, unsigned Stripes>
class striped_budget {
 public:
  using role = roles::quota;
  using permit_type = typename Budget::permit_type;

  striped_budget() noexcept
    requires std::default_initializable<Budget>
  = default;
  template <class... Values>
    requires(sizeof...(Values) > 0 && std::constructible_from<Budget, Values...>)
  explicit striped_budget(Values&&... values)
      : retries_{std::forward<Values>(values)...}, calls_{tenths_ring::snapshot{access::counts(retries_).calls()}} {}

  void on_call(time_point now) const noexcept {
    if (access::counts_calls(retries_)) calls_.add(access::tenth_at(retries_, now));
  }
  [[nodiscard]] std::optional<permit_type> try_acquire(failure const& /*f*/, time_point now) const noexcept {
    return access::acquire(retries_, access::counts(retries_), calls_, now);
  }
  static constexpr void on_success(permit_type /*held*/) noexcept {}
  void release(permit_type held) const noexcept { retries_.release(held); }

  /// How many retries may be made at that time. For display: it may have changed before it is read.
  [[nodiscard]] std::uint32_t balance(time_point now) const noexcept {
    return access::balance(retries_, access::counts(retries_), calls_, now);
  }
  /// How many retries may be made without any calls.
  [[nodiscard]] constexpr std::uint32_t capacity() const noexcept { return retries_.capacity(); }

  /// True until it is first asked to pay for a retry. A registry evicts such a policy before others.
  [[nodiscard]] bool is_untouched() const noexcept { return retries_.is_untouched(); }
  [[nodiscard]] std::string describe() const { return retries_.describe(); }
  template <class Promise = quota_promise>
  [[nodiscard]] constexpr auto promises(std::uint64_t attempts) const noexcept {
    return retries_.template promises<Promise>(attempts);
  }

 private:
  friend kept_state<striped_budget>;
  using access = budget_access;

  alignas(cache_line) Budget retries_;  // its own ring of calls is not used
  mutable striped_calls<Stripes> calls_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
