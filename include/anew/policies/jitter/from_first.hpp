// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_JITTER_FROM_FIRST_HPP
#define ANEW_POLICIES_JITTER_FROM_FIRST_HPP

#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/random_source.hpp"
#include "anew/base/random_up_to.hpp"
#include "anew/roles/jitter.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Waits a uniform delay between the backoff's first delay and its delay before this retry: U(first, ceiling). So the
/// first retry waits exactly the first delay, and no retry waits less.
///
/// Models: Jitter (its state is empty)
/// Formula: U(first, ceiling), where first is the backoff's delay before retry 1
/// Requires: nothing
/// Cost: one random number, one multiplication
/// Choose it for polling, where an answer cannot be ready before the first delay. Not for the least load on a server
/// that failed: full_jitter.
/// Source: Smithy "Waiters" specification, "Waiter retries": a random delay between minDelay and the exponential one.
struct from_first_jitter {
  using role = roles::jitter;
  static constexpr bool draws_between_extremes = true;
  static constexpr bool mean_is_middle = true;

  /// An empty state, declared because only a jitter with a state gets the first delay.
  struct state_type {};

  template <RandomSource R>
  [[nodiscard]] static constexpr duration apply(delay_bounds const& bounds, state_type& /*state*/, R& random) {
    auto const low = detail::smaller(bounds.first, bounds.ceiling);
    return low + random_up_to(bounds.ceiling - low, random);
  }
  [[nodiscard]] static std::string describe() { return "from_first_jitter"; }
};

}  // namespace anew::inline ANEW_ABI

#endif
