// SPDX-License-Identifier: BSL-1.0
#ifndef FLEET_SIMULATION_FATE_HPP
#define FLEET_SIMULATION_FATE_HPP

#include <cstdint>

#include "instant.hpp"

namespace fleet_simulation {

/// Why a call is where it is: how its attempt ends, or that it waits for the next.
enum class ending : std::uint8_t { waits, is_answered, is_refused, is_throttled, times_out };

/// How an attempt that comes to the service ends.
struct fate {
  instant ends = 0;
  ending how = ending::waits;
  bool is_slow = false;    // it is answered after others that came later
  double work_begins = 0;  // in the queue; 0: it does not stand there
  double work_ends = 0;
};

}  // namespace fleet_simulation

#endif
