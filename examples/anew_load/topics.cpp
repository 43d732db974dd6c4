// SPDX-License-Identifier: BSL-1.0
#include <string_view>

#include "topics.hpp"

namespace anew_load {

namespace {

constexpr std::string_view load =
    R"(Without --rate each of the --calls begins its next call when one ends: while the server pauses no
call begins, and those that would have waited are missing (coordinated omission). With --rate or
--profile calls arrive whatever the server does, and how long one took counts from when it should
have arrived: the time in which all of --calls are taken counts too.

Durations: 250ms, 2s, 1.5s, 100us, 1m.
)";

constexpr std::string_view comparing =
    R"(--compare makes as many calls with each of the two strategies, in an order that is drawn. The
intervals hold with 95 % confidence: 1000 samples of a bootstrap over the parts of the run.
)";

constexpr std::string_view exit_codes = R"(Exit codes:
    0  at least one call succeeded
    1  no call succeeded, the load could not begin, or output that failed
    2  bad usage, bad URL: nothing was called
  130  interrupted by SIGINT (129: by SIGHUP, 131: by SIGQUIT, 143: by SIGTERM), after the table
       of what was measured
)";

constexpr std::string_view examples = R"(Examples:
  anew-load --calls 50 --for 10s http://127.0.0.1:8080/
  anew-load --inside --failing 10%:503 --strategy aws-standard
  anew-load --inside --slow 1%:500ms --hedge p95 --for 20s
)";

}  // namespace

anew_get::help_page const& help() {
  static anew_get::help_page const page{
      "anew-load",
      "[OPTIONS] URL...",
      "Calls a URL again and again, with a retry strategy, and says how long it took.",
      {{"load", "Load", load},
       {"strategy", "Strategy", anew_get::help_on_strategies},
       {"retries", "", anew_get::help_on_retries},
       {"comparing", "", comparing},
       {"request", "Request", ""},
       {"connection", "Connection", ""},
       {"server", "Server", ""},
       {"output", "Output", ""},
       {"exit-codes", "", exit_codes}},
      examples};
  return page;
}

}  // namespace anew_load
