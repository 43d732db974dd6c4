// SPDX-License-Identifier: BSL-1.0
#ifndef FLEET_SIMULATION_VIRTUAL_TIME_HPP
#define FLEET_SIMULATION_VIRTUAL_TIME_HPP

#include <cstdint>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/random_source.hpp"
#include "anew/roles/roles.hpp"

#include "instant.hpp"

namespace fleet_simulation {

/// The time of the simulation that runs in this thread.
struct virtual_clock {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
  [[nodiscard]] static anew::time_point now() noexcept { return anew::time_point{anew::duration{ticks}}; }
  [[nodiscard]] static std::string describe() { return "virtual_clock"; }
  static inline thread_local instant ticks = 0;
};

/// The random numbers of the simulation that runs in this thread.
struct virtual_random {
  using role = anew::roles::random_source;
  std::uint64_t operator()() const noexcept { return numbers(); }
  [[nodiscard]] static std::string describe() { return "virtual_random"; }
  static inline thread_local anew::generator numbers{1, 0};
};

}  // namespace fleet_simulation

#endif
