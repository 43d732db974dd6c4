// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_FLEET_RESULT_HPP
#define ANEW_FLEET_RESULT_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "observed.hpp"
#include "world.hpp"

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

/// The result but for its checksum; `names` are those of the periods.
[[nodiscard]] result result_of(fleet_simulation::observed const& found, fleet_simulation::world const& w,
                               std::vector<std::string> const& names);

}  // namespace anew_fleet

#endif
