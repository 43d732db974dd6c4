// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_JITTER_EQUAL_HPP
#define ANEW_POLICIES_JITTER_EQUAL_HPP

#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/random_source.hpp"
#include "anew/base/random_up_to.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Waits at least half of the delay, and spreads callers over the other half: ceiling/2 + U(0, ceiling/2).
///
/// Models: Jitter (empty)      Cost: one random number, one multiplication
/// Formula: ceiling/2 + U(0, ceiling/2)
/// Choose it where a very short wait does not help. Not for the least load on the server: full_jitter.
/// Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015 ("Equal Jitter").
struct equal_jitter {
  using role = roles::jitter;
  static constexpr bool draws_between_extremes = true;
  static constexpr bool mean_is_middle = true;
  using stays_in_bounds = equal_jitter;
  template <RandomSource R>
  [[nodiscard]] static constexpr duration apply(duration ceiling, R& random) {
    auto const half = ceiling / 2;
    return half + random_up_to(ceiling - half, random);
  }
  [[nodiscard]] static std::string describe() { return "equal_jitter"; }
};

}  // namespace anew::inline ANEW_ABI

#endif
