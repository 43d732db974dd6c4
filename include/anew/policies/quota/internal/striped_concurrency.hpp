// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_QUOTA_INTERNAL_STRIPED_CONCURRENCY_HPP
#define ANEW_POLICIES_QUOTA_INTERNAL_STRIPED_CONCURRENCY_HPP

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "anew/base/failure.hpp"
#include "anew/base/now_view.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/platform/internal/stripe.hpp"
#include "anew/policies/quota/concurrency_budget.hpp"
#include "anew/roles/quota.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Lets a plain budget decide by calls that are counted elsewhere. Its word then has, where the calls were, how many
/// retries were ever granted, modulo 2^32.
struct concurrency_access {
  static constexpr std::uint64_t one_grant(auto const& budget) noexcept { return budget.one_call + budget.one_retry; }
  static constexpr std::uint32_t retries(auto const& budget, std::uint64_t word) noexcept {
    return budget.retries_of(word);
  }
  static constexpr std::uint32_t limit(auto const& budget, std::uint32_t calls) noexcept { return budget.limit(calls); }
  static atomic_cell<std::uint64_t>& word(auto const& budget) noexcept { return budget.under_way_; }
};

/// A budget of retries under way whose calls are counted in stripes, those that began and those that ended apart.
///
/// Both counts only grow, and a retry sums all that began before it sums any that ended: the difference is at most the
/// number of calls under way at the moment between the sums. Counts that went up and down would add a call that has
/// ended to one that began after that. The retries' word changes with each grant, so a compare-exchange of the word
/// that was read before the sums grants only where one word of calls and retries would have granted at that moment.
template <class Budget, unsigned Stripes>
class striped_concurrency {
 public:
  using role = roles::quota;
  using permit_type = typename Budget::permit_type;

  striped_concurrency() noexcept
    requires std::default_initializable<Budget>
  = default;
  template <class... Values>
    requires(sizeof...(Values) > 0 && std::constructible_from<Budget, Values...>)
  explicit striped_concurrency(Values&&... values) : retries_{std::forward<Values>(values)...} {
    stripes_[0].begun.fetch_add(retries_.calls());
  }

  void on_call(Time auto&& /*now*/) const noexcept { mine().begun.fetch_add_release(1); }
  void on_call_end() const noexcept { mine().ended.fetch_add(1); }

  [[nodiscard]] std::optional<permit_type> try_acquire(failure const& /*f*/) const noexcept {
    auto& word = access::word(retries_);
    auto seen = word.load_acquire();
    for (;;) {
      auto const under_way = access::retries(retries_, seen);
      if (under_way >= access::limit(retries_, 0) && under_way >= access::limit(retries_, calls())) return std::nullopt;
      if (word.compare_exchange_weak_acq_rel(seen, seen + access::one_grant(retries_))) return 1;
    }
  }
  void on_success(permit_type held) const noexcept { retries_.release(held); }
  void on_failure(permit_type held) const noexcept { retries_.release(held); }
  void release(permit_type held) const noexcept { retries_.release(held); }

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
  [[nodiscard]] std::uint32_t retries() const noexcept { return retries_.retries(); }
  /// How many retries may be under way.
  [[nodiscard]] std::uint32_t capacity() const noexcept { return access::limit(retries_, calls()); }
  /// How many more may begin.
  [[nodiscard]] std::uint32_t balance() const noexcept {
    auto const most = capacity();
    return most - detail::smaller(most, retries());
  }

  [[nodiscard]] std::string describe() const { return retries_.describe(); }
  template <class Promise = quota_promise>
  [[nodiscard]] constexpr auto promises(std::uint64_t attempts) const noexcept {
    return retries_.template promises<Promise>(attempts);
  }

 private:
  using access = concurrency_access;

  struct alignas(cache_line) counts {
    atomic_cell<std::uint64_t> begun{0};
    atomic_cell<std::uint64_t> ended{0};
  };
  [[nodiscard]] counts& mine() const noexcept { return stripes_[thread_number() % Stripes]; }

  mutable counts stripes_[Stripes]{};
  alignas(cache_line) Budget retries_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
