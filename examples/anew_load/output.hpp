// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_OUTPUT_HPP
#define ANEW_LOAD_OUTPUT_HPP

#include <iosfwd>

#include "load.hpp"
#include "text.hpp"

namespace anew_load {

/// One line over the one before it, for a terminal.
void print_progress(progress const& far, std::ostream& out, anew_get::paint colours);
/// A line of its own, for a terminal or a pipe, with what the observers have counted.
void print_status(progress const& far, std::ostream& out);
/// Leaves nothing of it.
void clear_progress(std::ostream& out);

void print_table(load_report const& report, settings const& s, std::ostream& out, anew_get::paint colours);

/// The same as one line of JSON:
///
/// | member                                   | is                                                                |
/// |------------------------------------------|-------------------------------------------------------------------|
/// | `strategy`, `url`, `calls_at_once`, `threads`, `rate` | what was asked; `rate` null: as many as are answered |
/// | `interrupted`                            | whether a signal ended it                                         |
/// | `seconds`                                | from the end of the warming up to the end of the last call        |
/// | `calls`, `ok`, `failed`, `unfinished`    | `calls` are those that ended, well or not                         |
/// | `not_begun`                              | of a `rate`: arrived, and found no free worker until the end      |
/// | `calls_per_s`                            | those that ended                                                  |
/// | `gave_up`, `last_failures`               | of the failed: why they ended, and with which answer; how many    |
/// | `latency_ms`                             | `p50`, `p90`, `p99`, `p99_9`, `max`, `mean` of `calls`            |
/// | `latency_from`                           | `start` of the call, or the `intended` one of an arrival          |
/// | `attempts`, `retries`, `extra_percent`   | extra are those that were not the first of their call             |
/// | `attempt_ends`                           | of all attempts: the status or the trouble; how many              |
/// | `requests`                               | attempts that came as far as sending their request                |
/// | `hedges`                                 | `made`, `refused`, `won`; null without                            |
/// | `quota`                                  | `balance`, `capacity` (null: without); null: unlimited            |
/// | `connections`                            | that were made                                                    |
/// | `missing_descriptors`                    | attempts without a socket: this process had too many open files   |
/// | `processor_us_per_call`                  | what the threads that call take of the processor                  |
/// | `urls`                                   | null, or of each: `url`, `calls`, `failed`, `latency_ms`          |
/// | `compared`                               | with --compare: `a`, `b`, `difference`, `low`, `high` of each     |
/// | `strategies`                             | the same: the members of each strategy                            |
/// | `server`                                 | `requests`, `connections` as the server inside counts; else null  |
void print_json(load_report const& report, settings const& s, std::ostream& out);

/// A line that says why the certificate of the server was refused.
void warn_of_refused_certificates(load_report const& report, std::ostream& out);

/// A line about a run that measured the limits of this process in the place of the server's.
void warn_of_missing_descriptors(load_report const& report, std::ostream& out);

}  // namespace anew_load

#endif
