// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PLAN_OUTPUT_HPP
#define ANEW_PLAN_OUTPUT_HPP

#include <iosfwd>
#include <vector>

#include "options.hpp"
#include "verdict.hpp"

namespace anew_plan {

void print_text(std::vector<verdict> const& verdicts, settings const& s, std::ostream& to);

/// One object for each strategy, in an array with --compare:
///
/// | member                 | meaning                                                                                |
/// |------------------------|----------------------------------------------------------------------------------------|
/// | `name`                 | of a preset; null: a text                                                              |
/// | `strategy`             | its text                                                                               |
/// | `verdict`              | `recovers`, `recovers_slowly` (not while it was simulated) or `holds_down`             |
/// | `seeds_that_hold_down` | of three, of which the middle is the verdict                                           |
/// | `recovery_seconds`     | after the outage, until 99 % of the calls succeed; null: not while it was simulated    |
/// | `load`                 | calls over capacity                                                                    |
/// | `holds_down_from_load` | the least load at which it holds the service down; null: none below 1                  |
/// | `amplification`        | attempts that begin in the outage, over the calls that begin in it                     |
/// | `counted_seconds`      | after the outage, in which the calls of the next two are counted                       |
/// | `calls_lost`           | that fail, from the beginning of the outage on                                         |
/// | `calls_not_ended`      | that still retry or wait when the simulation ends                                      |
/// | `lost_in_health`       | of 100,000 calls where 2 % of the answers are errors                                   |
/// | `latency_seconds`      | `before`, `in_outage`, `after`, each with `p50`, `p99`, `p99_9` of calls that succeed; |
/// |                        | null: none does                                                                        |
/// | `closed_form`          | `recovery_seconds` and `holds_down_from_load` by arithmetic; `nothing_times_out` in    |
/// |                        | the outage; whether it `disagrees` with the simulation                                 |
/// | `changes`              | each with `what`, `strategy`, `recovery_seconds`, `lost_in_health`                     |
void print_json(std::vector<verdict> const& verdicts, settings const& s, std::ostream& to);

}  // namespace anew_plan

#endif
