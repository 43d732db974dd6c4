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
#include "anew/base/platform/internal/stripe.hpp"
#include "anew/policies/quota/internal/budget_access.hpp"
#include "anew/policies/quota/internal/counted_tenths.hpp"
#include "anew/policies/quota/internal/striped_calls.hpp"
#include "anew/roles/quota.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI::detail {

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
