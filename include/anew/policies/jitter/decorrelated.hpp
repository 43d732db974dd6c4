// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_JITTER_DECORRELATED_HPP
#define ANEW_POLICIES_JITTER_DECORRELATED_HPP

#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/random_source.hpp"
#include "anew/base/random_up_to.hpp"
#include "anew/roles/jitter.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

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

  template <RandomSource R>
  [[nodiscard]] static constexpr duration apply(delay_bounds const& bounds, state_type& state, R& random) {
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
