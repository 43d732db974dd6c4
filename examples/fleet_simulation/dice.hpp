// SPDX-License-Identifier: BSL-1.0
#ifndef FLEET_SIMULATION_DICE_HPP
#define FLEET_SIMULATION_DICE_HPP

#include <cmath>
#include <cstdint>

#include "anew/base/random_source.hpp"

namespace fleet_simulation {

/// The random numbers of what happens to clients and service; the strategies have their own.
class dice {
 public:
  explicit dice(std::uint64_t seed) : numbers_{seed, 1} {}

  [[nodiscard]] bool happens(double share) noexcept { return share > 0 && chance() < share; }
  /// With a mean of 1.
  [[nodiscard]] double exponential() noexcept { return -std::log1p(-chance()); }
  [[nodiscard]] std::uint32_t one_of(std::uint32_t n) noexcept {
    return static_cast<std::uint32_t>(chance() * static_cast<double>(n));
  }

 private:
  /// From 0 to less than 1.
  [[nodiscard]] double chance() noexcept { return static_cast<double>(numbers_() >> 11U) * 0x1p-53; }

  anew::generator numbers_;
};

}  // namespace fleet_simulation

#endif
