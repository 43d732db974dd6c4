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
/// | `strategy`             | its text                                                                               |
/// | `verdict`              | `recovers` or `holds_down`                                                             |
/// | `recovery_seconds`     | after the outage, until 99 % of the calls succeed; null: never                         |
/// | `load`                 | calls over capacity                                                                    |
/// | `holds_down_from_load` | the least load at which it holds the service down; null: none below 1                  |
/// | `amplification`        | attempts per call in the outage                                                        |
/// | `calls_lost`           | until two minutes after the outage                                                     |
/// | `lost_in_health`       | of 100,000 calls where 2 % of the answers are errors                                   |
/// | `latency_seconds`      | `before`, `in_outage`, `after`, each with `p50`, `p99`, `p99_9` of calls that succeed  |
/// | `closed_form`          | `recovery_seconds` and `holds_down_from_load` by arithmetic                            |
/// | `changes`              | each with `what`, `strategy`, `recovery_seconds`, `lost_in_health`                     |
void print_json(std::vector<verdict> const& verdicts, settings const& s, std::ostream& to);

}  // namespace anew_plan

#endif
