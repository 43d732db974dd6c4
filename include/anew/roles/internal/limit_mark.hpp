// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_INTERNAL_LIMIT_MARK_HPP
#define ANEW_ROLES_INTERNAL_LIMIT_MARK_HPP

#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"

namespace anew::inline ANEW_ABI::detail {

/// The last answer of a quota or a pacer: 0 where it let the attempt through, else 1 and the kind of the failure. It is kept
/// where an observer listens, with the policy if that is shared. A copy begins anew.
class limit_mark {
 public:
  constexpr limit_mark() noexcept = default;
  constexpr limit_mark(limit_mark const& /*other*/) noexcept {}
  constexpr limit_mark& operator=(limit_mark const& /*other*/) noexcept { return *this; }  // NOLINT(*-handle-self-*)
  ~limit_mark() = default;

  [[nodiscard]] bool is_set() const noexcept { return value_.load() != 0; }
  [[nodiscard]] error_kind kind() const noexcept { return static_cast<error_kind>(value_.load() - 1); }
  /// Whether this is news: of threads that say the same, one is told so.
  template <class Kind = error_kind>  // so a board without atomics compiles it only where an observer listens
  bool set(bool limits, Kind kind) const noexcept {
    auto const next = static_cast<std::uint8_t>(limits ? 1U + static_cast<unsigned>(kind) : 0U);
    auto last = value_.load();
    while ((last != 0) != limits) {
      if (value_.compare_exchange_weak(last, next)) return true;
    }
    return false;
  }

 private:
  mutable atomic_cell<std::uint8_t> value_{0};
};
/// Where nothing is told. Each member has its own type, or a strategy would grow by a byte.
template <int Which>
struct no_limit_mark {};

/// The mark of a policy: its own where it is shared, else the strategy's.
template <class P>
constexpr limit_mark const& mark_of(P const& policy, limit_mark const& of_the_strategy) noexcept {
  if constexpr (requires { policy.mark(); }) {
    return policy.mark();
  } else if constexpr (requires { policy.policy(); }) {
    return detail::mark_of(policy.policy(), of_the_strategy);
  } else {
    return of_the_strategy;
  }
}

/// Whether a quota would grant a retry after such a failure, by the balance that it shows; false where it shows none.
template <class Q>
[[nodiscard]] bool shows_room(Q const& quota, error_kind kind, auto& now) {
  if constexpr (requires { quota.policy(); }) {
    return detail::shows_room(quota.policy(), kind, now);
  } else if constexpr (requires { quota.all_terms().costs; }) {
    auto const cost = quota.all_terms().how == decltype(quota.all_terms().how){} ? quota.all_terms().costs.of(kind) : 0;
    return quota.balance() >= larger(cost, 1U);
  } else if constexpr (requires { quota.balance(now) >= quota.costs().of(kind); }) {
    return quota.balance(now) >= quota.costs().of(kind);
  } else if constexpr (requires { quota.balance(now); }) {
    return quota.balance(now) != 0;
  } else if constexpr (requires { quota.thousandths(); }) {
    return quota.balance() * 2 > quota.capacity();
  } else if constexpr (requires { quota.balance(); }) {
    return quota.balance() != 0;
  } else {
    return false;
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
