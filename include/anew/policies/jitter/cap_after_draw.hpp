// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_JITTER_CAP_AFTER_DRAW_HPP
#define ANEW_POLICIES_JITTER_CAP_AFTER_DRAW_HPP

#include <cstdint>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
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

  template <RandomSource R>
  [[nodiscard]] static constexpr duration apply(delay_bounds const& bounds, state_type& state, R& random) {
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

}  // namespace anew::inline ANEW_ABI

#endif
