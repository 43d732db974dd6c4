// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_FLEET_SIMULATIONS_HPP
#define ANEW_FLEET_SIMULATIONS_HPP

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "event_log.hpp"
#include "scenario_file.hpp"

namespace anew_fleet {

/// The calls of a period. Times are in seconds. The quantiles are NaN where no call succeeded, and the amplification is
/// NaN where none began.
struct row {
  std::string name;
  double begin = 0;
  double end = 0;
  double calls = 0;
  double attempts = 0;  // that the service got in the period
  double amplification = 0;
  double good = 0;
  double failed = 0;
  double by_quota = 0;   // of these
  double under_way = 0;  // when the simulation ended
  double p50 = 0;
  double p99 = 0;
  double p999 = 0;
};

/// Whether 99 % of the calls succeed in the last phase.
enum class ending {
  recovered,  // from some time on
  failing,    // not at its end
  too_short,  // at its end, if anything can be told of it, but not for long enough
  stopped,    // before its end
};

/// The result of a simulation with one seed.
struct result {
  std::uint64_t seed = 0;
  std::vector<row> rows;
  ending end = ending::stopped;
  std::optional<double> recovery;  // seconds of the last phase until 99 % of the calls succeed
  std::optional<double> gave_up;   // the time at which there were too many calls or events
  std::vector<double> attempts_of_layers;
  std::uint64_t events = 0;
  std::uint64_t checksum = 0;
};

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
