// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_JITTER_POLLY_DECORRELATED_HPP
#define ANEW_POLICIES_JITTER_POLLY_DECORRELATED_HPP

#include <cstdint>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/math.hpp"
#include "anew/base/random_source.hpp"
#include "anew/roles/jitter.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Spreads the times of the retries smoothly around 1, 2, 4, 8 times the first delay, as .NET's Polly does.
///
/// It takes the first delay and the cap from the backoff and doubles by itself, so the backoff's factor has no effect.
/// As published, a delay beyond the cap is clamped to it: once the growth has passed the cap, nearly all delays are the
/// cap exactly. Give it a cap that is not reached, or take another jitter.
///
/// Models: Jitter (empty; 16 bytes in the token)      Cost: one random number, an exp2, a tanh, a square root
/// Formula: (g(t) - g(t')) * first / 1.4 with g(t) = 2^t * tanh(sqrt(4t)), t = n - 1 + U(0, 1) before retry n, and t' the
/// t of the retry before (g(t') = 0 before the first)
/// Requires: nothing
/// Choose it to match a client with Polly, or to spread few retries evenly over time. Not at the cap: full_jitter.
/// Source: Polly `RetryHelper.DecorrelatedJitterBackoffV2`, by George Polevoy; App-vNext/Polly issue 530.
struct polly_decorrelated_jitter {
  using role = roles::jitter;

  /// The previous growth, and the number of delays drawn.
  struct state_type {
    double reached = 0;
    std::uint32_t drawn = 0;
  };

  template <RandomSource R>
  [[nodiscard]] static duration apply(delay_bounds const& bounds, state_type& state, R& random) {
    auto const share = static_cast<double>(random() >> 11U) * 0x1p-53;  // U(0, 1) with a double's 53 bits
    auto const t = static_cast<double>(state.drawn) + share;
    auto const growth = detail::two_to(t) * detail::tanh(detail::square_root(p_factor * t));
    auto const ticks = (growth - state.reached) * rp_scaling_factor * static_cast<double>(bounds.first.count());
    state.reached = growth;
    if (state.drawn != ~std::uint32_t{0}) ++state.drawn;
    if (bounds.first <= duration::zero()) return duration::zero();
    if (!(ticks < static_cast<double>(bounds.cap.count()))) return bounds.cap;  // infinity, and the difference of two
    return detail::larger(duration{static_cast<std::int64_t>(ticks)}, duration::zero());
  }
  [[nodiscard]] static std::string describe() { return "polly_decorrelated_jitter"; }

 private:
  static constexpr double p_factor = 4.0;                 // smooths the first delay
  static constexpr double rp_scaling_factor = 1.0 / 1.4;  // brings the medians near to powers of two
};

}  // namespace anew::inline ANEW_ABI

#endif
