// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_JITTER_CAP_AFTER_DRAW_HPP
#define ANEW_POLICIES_JITTER_CAP_AFTER_DRAW_HPP

#include <cstdint>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/math.hpp"
#include "anew/base/random_source.hpp"
#include "anew/roles/jitter.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Draws first and caps afterwards, as the older AWS text says, so callers meet again at the cap.
///
/// The draw is over an interval that doubles without a bound, and a longer delay becomes the cap: with a first delay of
/// 1 s and a cap of 20 s, 37.5 % of the sixth delays and 84 % of the eighth are 20 s exactly. It takes the first delay
/// and the cap from the backoff and doubles by itself, so the backoff's factor has no effect.
///
/// Models: Jitter (empty; 4 bytes in the token)      Cost: one random number, one multiplication
/// Formula: min(cap, U(0, first * 2^(n-1))) before retry n; P(cap) = 1 - cap / (first * 2^(n-1)) where that is positive
/// Requires: nothing
/// Choose it to match a client from before 2026. Not for a new client: full_jitter caps before the draw and keeps its spread.
/// Source: AWS SDKs and Tools Reference Guide, "Retry behavior" before 2026: min(b * r^i, MAX_BACKOFF), b = U(0, 1).
struct cap_after_draw_jitter {
  using role = roles::jitter;
  static constexpr bool draws_between_extremes = true;

  /// How often the interval has doubled.
  struct state_type {
    std::uint32_t doubled = 0;
  };

  [[nodiscard]] static constexpr duration apply(delay_bounds const& bounds, state_type& state,
                                                RandomSource auto& random) {
    auto const doubled = state.doubled;
    state.doubled = detail::smaller(doubled + 1, most_doublings);
    if (bounds.first <= duration::zero() || bounds.cap <= duration::zero()) return duration::zero();
    // first * word / 2^64 is the draw before doubling: exact in 127 bits, and doubled by shifting less of it away.
    auto const product = static_cast<detail::uint128>(static_cast<std::uint64_t>(bounds.first.count())) * random();
    auto const cap = static_cast<detail::uint128>(bounds.cap.count());
    if (doubled <= 64) return shortened(product >> (64U - doubled), cap);
    return product > (cap >> (doubled - 64U)) ? bounds.cap : shortened(product << (doubled - 64U), cap);
  }
  [[nodiscard]] static std::string describe() { return "cap_after_draw_jitter"; }

 private:
  static constexpr std::uint32_t most_doublings = 127;  // with more, every draw except zero is the cap

  static constexpr duration shortened(detail::uint128 drawn, detail::uint128 cap) noexcept {
    return duration{static_cast<std::int64_t>(detail::smaller(drawn, cap))};
  }
};

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

  [[nodiscard]] static constexpr duration apply(delay_bounds const& bounds, state_type& /*state*/,
                                                RandomSource auto& random) {
    auto const low = detail::smaller(bounds.first, bounds.ceiling);
    return low + random_up_to(bounds.ceiling - low, random);
  }
  [[nodiscard]] static std::string describe() { return "from_first_jitter"; }
};

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

  [[nodiscard]] static duration apply(delay_bounds const& bounds, state_type& state, RandomSource auto& random) {
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
