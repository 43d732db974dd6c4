// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_JITTER_FULL_HPP
#define ANEW_POLICIES_JITTER_FULL_HPP

#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/random_source.hpp"
#include "anew/base/random_up_to.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Waits a uniform delay between zero and the backoff's delay: U(0, ceiling).
///
/// Models: Jitter (empty)      Cost: one random number, one multiplication
/// Formula: U(0, ceiling)
/// Choose it against a service with many callers: least load and shortest completion in the AWS study. Not where every
/// wait needs a minimum: equal_jitter.
/// Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015 ("Full Jitter"); the ceiling is
/// capped before the draw, so that delays at the cap keep their spread.
struct full_jitter {
  using role = roles::jitter;
  static constexpr bool draws_between_extremes = true;
  static constexpr bool mean_is_middle = true;
  using stays_in_bounds = full_jitter;
  template <RandomSource R>
  [[nodiscard]] static constexpr duration apply(duration ceiling, R& random) {
    return random_up_to(ceiling, random);
  }
  [[nodiscard]] static std::string describe() { return "full_jitter"; }
};

}  // namespace anew::inline ANEW_ABI

#endif
