// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_INTERNAL_LIMIT_MARK_HPP
#define ANEW_ROLES_INTERNAL_LIMIT_MARK_HPP

#include <cstdint>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Whether the last answer of a quota or a pacer was a limit. It is kept where an observer listens, with the policy if that is
/// shared. A copy begins anew.
class limit_mark {
 public:
  constexpr limit_mark() noexcept = default;
  constexpr limit_mark(limit_mark const& /*other*/) noexcept {}
  constexpr limit_mark& operator=(limit_mark const& /*other*/) noexcept { return *this; }  // NOLINT(*-handle-self-*)
  ~limit_mark() = default;

  /// Stores the answer and returns whether it changed. Of threads that store the same answer, one gets true.
  template <class Bool>  // so a board without atomics compiles it only where an observer listens
  bool set(Bool limits) const noexcept {
    auto last = value_.load();
    while ((last != 0) != limits) {
      if (value_.compare_exchange_weak(last, limits)) return true;
    }
    return false;
  }

 private:
  mutable atomic_cell<std::uint8_t> value_{0};
};
/// For a strategy whose observer does not listen. Two empty members of one type would take a byte.
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
    return of_the_strategy;  // NOLINT(bugprone-return-const-ref-from-parameter): marks outlive the question
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
