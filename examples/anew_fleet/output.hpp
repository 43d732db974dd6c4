// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_FLEET_OUTPUT_HPP
#define ANEW_FLEET_OUTPUT_HPP

#include <iosfwd>
#include <vector>

#include "event_log.hpp"
#include "scenario_file.hpp"
#include "simulations.hpp"

namespace anew_fleet {

void print_event(fleet_simulation::event_log::event const& one, std::ostream& to);
void print_progress(double share, std::ostream& to);
void clear_progress(std::ostream& to);

/// A table; a dash stands for what no call has. With several seeds each row is three, of the least, the middle and the
/// largest values.
void print_text(scenario_file const& file, std::vector<result> const& results, std::ostream& to);

/// One object. With one seed a value is a number, with several an object with `min`, `median` and `max` of the seeds
/// that have it. It is null where no call has it: `p50`, `p99` and `p99_9` where none succeeded, `amplification` where
/// none began.
///
/// | member               | meaning                                                                                   |
/// |----------------------|-------------------------------------------------------------------------------------------|
/// | `file`, `title`      | of the scenario                                                                           |
/// | `strategy`           | the clients', as text                                                                     |
/// | `hedging`            | the clients', as text; only where they hedge                                              |
/// | `seeds`              | each with `seed`, `events`, `log_checksum`, equal wherever the same was simulated, and    |
/// |                      | `recovery`: `recovered`, `failing`, `too_short` or `stopped`                              |
/// | `recovery_seconds`   | of the last phase until 99 % of the calls succeed; null: not every seed `recovered`       |
/// | `stopped_at_seconds` | of the first seed whose calls were too many to go on; null: none                          |
/// | `attempts_of_layers` | the attempts that came to each layer                                                      |
/// | `rows`               | `name`, `begin_seconds`, `end_seconds`, and the values `calls`, `attempts`,               |
/// |                      | `amplification`, `good`, `failed`, `refused_by_quota`, `under_way`, `p50`, `p99`, `p99_9` |
[[nodiscard]] std::string json_of(scenario_file const& file, std::vector<result> const& results);

}  // namespace anew_fleet

#endif
