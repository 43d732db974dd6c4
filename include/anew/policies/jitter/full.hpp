// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_JITTER_FULL_HPP
#define ANEW_POLICIES_JITTER_FULL_HPP

#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/random_source.hpp"
#include "anew/roles/jitter.hpp"
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
  [[nodiscard]] static constexpr duration apply(duration ceiling, RandomSource auto& random) {
    return random_up_to(ceiling, random);
  }
  [[nodiscard]] static std::string describe() { return "full_jitter"; }
};

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
  [[nodiscard]] static constexpr duration apply(duration ceiling, RandomSource auto& random) {
    auto const half = ceiling / 2;
    return half + random_up_to(ceiling - half, random);
  }
  [[nodiscard]] static std::string describe() { return "equal_jitter"; }
};

/// Waits exactly the backoff's delay.
///
/// Models: Jitter (empty)      Cost: none; draws nothing
/// Formula: ceiling
/// Choose it for a single caller, or for a test. Not for clients that may fail together: they would retry together.
/// Source: none
struct no_jitter {
  using role = roles::jitter;
  static constexpr bool draws_between_extremes = true;
  static constexpr bool mean_is_middle = true;
  using stays_in_bounds = no_jitter;
  [[nodiscard]] static constexpr duration apply(duration ceiling, RandomSource auto& /*random*/) noexcept {
    return ceiling;
  }
  [[nodiscard]] static std::string describe() { return "no_jitter"; }
};

/// Waits between the backoff's first delay and three times the previous delay: U(first, min(cap, 3 * previous)).
///
/// It takes the first delay and the cap from the backoff and grows by itself, so the backoff's factor has no effect.
/// The published form draws up to `3 * previous` and clamps afterwards, which puts a quarter of the delays exactly on
/// the cap; decorrelated_jitter bounds the draw, and has no such lump.
///
/// Models: Jitter (empty; 8 bytes in the token)      Cost: one random number, two multiplications
/// Formula: U(first, min(cap, 3 * previous)), where previous is at least first
/// Choose it where callers should drift apart from the first retry on, and waits need a minimum. Not where the growth
/// must be known: full_jitter.
/// Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015 ("Decorrelated Jitter").
struct decorrelated_jitter {
  using role = roles::jitter;
  static constexpr bool draws_between_extremes = true;

  /// The previous delay; zero before the first.
  struct state_type {
    duration previous{};
  };

  [[nodiscard]] static constexpr duration apply(delay_bounds const& bounds, state_type& state,
                                                RandomSource auto& random) {
    auto const low = detail::smaller(bounds.first, bounds.cap);
    auto const previous = detail::larger(state.previous, low);
    auto const high = previous > bounds.cap / 3 ? bounds.cap : previous * 3;
    state.previous = low + random_up_to(detail::larger(high, low) - low, random);
    return state.previous;
  }
  /// The mean of a delay whose previous one had the mean `previous`, in nanoseconds; exact until three times the
  /// previous delay may reach the cap, an upper bound from there on (Jensen's inequality).
  [[nodiscard]] static constexpr double mean_after(double first, double previous, double cap) noexcept {
    return (first + detail::smaller(3 * previous, cap)) / 2;
  }
  [[nodiscard]] static std::string describe() { return "decorrelated_jitter"; }
};

}  // namespace anew::inline ANEW_ABI

#endif
