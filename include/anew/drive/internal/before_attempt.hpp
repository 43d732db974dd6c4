// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVE_INTERNAL_BEFORE_ATTEMPT_HPP
#define ANEW_DRIVE_INTERNAL_BEFORE_ATTEMPT_HPP

#include <cstdint>

#include "anew/concept/attempt_timeout.hpp"
#include "anew/concept/retry_strategy.hpp"
#include "anew/drive/internal/decide.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/attempt.hpp"
#include "anew/value/duration.hpp"

/// What every driver does before an attempt: it asks the strategy whether the attempt may begin, and tells the attempt
/// about itself.
namespace anew::inline ANEW_ABI::detail {

/// Does the strategy want to be asked before attempts? One whose type does not say it is asked that first.
template <class S>
ANEW_INLINE bool needs_admission([[maybe_unused]] S const& strategy) {
  if constexpr (requires { strategy.needs_admission(); }) {
    return strategy.needs_admission();
  } else {
    return HasAdmission<S>;
  }
}

/// When a wait that a gate or a pacer asked for is over, at the earliest.
struct earliest {
  time_point value = time_point::min();

  /// The strategy's last question before an attempt. A driver that does not wait must not make this a hot loop: the wait
  /// that was asked for counts as passed.
  template <class S>
  ANEW_INLINE admission_answer ask(S const& strategy, typename S::token_type& token) {
    if (!detail::needs_admission(strategy)) return {};
    auto const now = larger(now_of(strategy), value);
    auto const answer = strategy.admit(token, now);
    value = answer.wait > duration::zero() ? saturating_add(now, answer.wait) : time_point::min();
    return answer;
  }
};
struct no_earliest {};

/// Sets what a strategy's attempt is told. `from` knows the call's deadline: a token, or the call's `initial_token`. `previous` is meaningful from the second
/// attempt on.
template <class S, class From>
ANEW_INLINE void set_parts(attempt::parts& parts, [[maybe_unused]] S const& strategy, [[maybe_unused]] From const& from,
                           std::uint32_t number, error_kind previous) {
  parts.number = number;
  if (number > 1) parts.previous = previous;
  if constexpr (HasDeadline<S>) {
    if constexpr (requires { from.began(strategy); }) {
      parts.deadline = from.deadline(strategy);
      parts.began = from.began(strategy);
    } else {
      parts.deadline = from.deadline();
      parts.began = now_of(strategy);
    }
  }
  if constexpr (HasAttemptTimeout<S>) parts.limit = strategy.attempt_timeout().of(attempt{parts}.remaining());
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
