// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_FLEET_SIMULATIONS_HPP
#define ANEW_FLEET_SIMULATIONS_HPP

#include <functional>
#include <vector>

#include "event_log.hpp"
#include "result.hpp"
#include "scenario_file.hpp"

namespace anew_fleet {

struct how {
  unsigned seeds = 1;
  unsigned jobs = 1;
  bool by_second = false;
  std::function<void(fleet_simulation::event_log::event const&)> see{};  // each event, with one seed
  std::function<void(double)> show{};                                    // some times a second, the share that is done
};

/// Simulates with consecutive seeds, in several threads; the results are in the order of the seeds.
[[nodiscard]] std::vector<result> run(scenario_file const& file, how const& by);

}  // namespace anew_fleet

#endif
