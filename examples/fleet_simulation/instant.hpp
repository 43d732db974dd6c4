// SPDX-License-Identifier: BSL-1.0
#ifndef FLEET_SIMULATION_INSTANT_HPP
#define FLEET_SIMULATION_INSTANT_HPP

#include <cstdint>
#include <limits>

namespace fleet_simulation {

/// Nanoseconds of virtual time. The simulation begins at 0.
using instant = std::int64_t;
inline constexpr instant never = std::numeric_limits<instant>::max();

[[nodiscard]] inline double seconds_of(instant t) noexcept { return static_cast<double>(t) * 1e-9; }

}  // namespace fleet_simulation

#endif
