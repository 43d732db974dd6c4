// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STRATEGY_INTERNAL_DRAW_HPP
#define ANEW_STRATEGY_INTERNAL_DRAW_HPP

#include <cstdint>
#include <type_traits>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/backoff.hpp"
#include "anew/roles/hint.hpp"
#include "anew/roles/jitter.hpp"

namespace anew::inline ANEW_ABI::detail {

template <class Backoff>
ANEW_INLINE constexpr duration backoff_delay(Backoff const& backoff, [[maybe_unused]] std::uint32_t retry,
                                             [[maybe_unused]] call_progress const& progress) {
  if constexpr (DelaysByKind<Backoff>) {
    return backoff.delay(progress);
  } else {
    return backoff.delay(retry);
  }
}

/// The progress of a call whose failures were all of one kind.
constexpr call_progress progress_after(std::uint32_t attempts, error_kind kind) noexcept {
  call_progress progress{attempts, kind, {}};
  for (std::uint32_t i = 0; i != attempts; ++i) progress.counts.add(kind);
  return progress;
}

/// A policy of the catalogue whose delays are in [0, cap], and a jitter whose delays are in [0, ceiling], say so. They
/// are not clamped: the numbers of a run-time form tell the compiler nothing.
template <class P>
concept StaysInBounds = requires { requires std::is_same_v<typename P::stays_in_bounds, P>; };

/// The delay before retry `retry`, clamped to [0, cap] because a user's policy may return any delay.
template <class Backoff, class Jitter, class Random>
ANEW_INLINE constexpr duration draw(Backoff const& backoff, Jitter const& jitter,
                                    [[maybe_unused]] typename jitter_state<Jitter>::type& state, std::uint32_t retry,
                                    call_progress const& progress, Random& random) {
  auto const delay = backoff_delay(backoff, retry, progress);
  if constexpr (StaysInBounds<Backoff> && StaysInBounds<Jitter>) return jitter.apply(delay, random);
  auto const cap = larger(cap_of(backoff), duration::zero());
  auto const ceiling = clamped(delay, duration::zero(), cap);
  if constexpr (std::is_same_v<typename jitter_state<Jitter>::type, no_state>) {
    return clamped(jitter.apply(ceiling, random), duration::zero(), cap);
  } else {
    if (ceiling == duration::zero()) return ceiling;  // an immediate retry, whatever the jitter's state
    auto first = duration::zero();
    for (std::uint32_t n = 1; first <= duration::zero(); ++n) {  // a jitter cannot grow from zero
      first = n < retry && n <= 32 ? backoff_delay(backoff, n, progress_after(n, progress.kind)) : ceiling;
    }
    delay_bounds const bounds{clamped(first, duration::zero(), cap), ceiling, cap};
    return clamped(jitter.apply(bounds, state, random), duration::zero(), cap);
  }
}

/// Applies the Hint policy to the delay that a server asked for.
template <class Hint, class Random>
ANEW_INLINE constexpr auto resolve(Hint const& hint, duration computed, duration asked, duration cap,
                                   [[maybe_unused]] Random& random) {
  if constexpr (ResolvesHintsByDrawing<Hint>) {
    return hint.resolve(computed, asked, cap, random);
  } else {
    return hint.resolve(computed, asked, cap);
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
