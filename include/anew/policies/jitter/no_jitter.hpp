// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_JITTER_NO_JITTER_HPP
#define ANEW_POLICIES_JITTER_NO_JITTER_HPP

#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/random_source.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Waits exactly the backoff's delay.
///
/// Models: Jitter (empty)      Cost: none; draws nothing
/// Formula: ceiling
/// Choose it for a single caller, or for a test. Not for clients that may fail together: they come back together.
/// Source: none
struct no_jitter {
  using role = roles::jitter;
  static constexpr bool draws_between_extremes = true;
  static constexpr bool mean_is_middle = true;
  using stays_in_bounds = no_jitter;
  template <RandomSource R>
  [[nodiscard]] static constexpr duration apply(duration ceiling, R& /*random*/) noexcept {
    return ceiling;
  }
  [[nodiscard]] static std::string describe() { return "no_jitter"; }
};

}  // namespace anew::inline ANEW_ABI

#endif
