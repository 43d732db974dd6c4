// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_RANDOM_UP_TO_HPP
#define ANEW_BASE_RANDOM_UP_TO_HPP

#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/random_source.hpp"

namespace anew::inline ANEW_ABI {

/// A delay in [0, bound], uniform (Lemire's multiplication; the bias is below 2^-64 times the bound in ns).
/// Requires bound >= 0. Draws exactly one number, and none when the bound is zero.
template <RandomSource R>
[[nodiscard]] constexpr duration random_up_to(duration bound, R& random) {
  if (bound.count() <= 0) return duration::zero();
  auto const width = static_cast<std::uint64_t>(bound.count()) + 1;
  return duration{static_cast<std::int64_t>((static_cast<detail::uint128>(width) * random()) >> 64U)};
}

}  // namespace anew::inline ANEW_ABI

#endif
