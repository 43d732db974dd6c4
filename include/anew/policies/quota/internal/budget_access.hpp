// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_QUOTA_INTERNAL_BUDGET_ACCESS_HPP
#define ANEW_POLICIES_QUOTA_INTERNAL_BUDGET_ACCESS_HPP

#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/quota/internal/counted_tenths.hpp"
#include "anew/policies/quota/retry_budget.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Lets a plain budget decide by calls, or by calls and retries, that are counted elsewhere.
struct budget_access {
  static constexpr bool counts_calls(auto const& budget) noexcept { return budget.percent_.get() != 0; }
  static tenth_number tenth_at(auto const& budget, time_point now) noexcept { return budget.tenth_at(now); }
  static expiring_counts& counts(auto const& budget) noexcept { return budget.counts_; }
  static auto acquire(auto const& budget, expiring_counts& counts, auto const& calls, time_point now) noexcept {
    return budget.acquire_of(counts, calls, now);
  }
  static void give_back(auto const& budget, expiring_counts& counts, std::uint32_t held) noexcept {
    budget.give_back(counts, held);
  }
  static std::uint32_t balance(auto const& budget, expiring_counts& counts, auto const& calls,
                               time_point now) noexcept {
    return budget.balance_of(counts, calls, now);
  }
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
