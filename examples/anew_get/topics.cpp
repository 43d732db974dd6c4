// SPDX-License-Identifier: BSL-1.0
#include <string_view>

#include "topics.hpp"

namespace anew_get {

namespace {

constexpr std::string_view quotas = R"(A quota that processes share, in the place of WHERE:
  shm:NAME?capacity=500
      all your processes on this host share the file /dev/shm/anew.UID/NAME until you remove it
  redis://USER:PASSWORD@HOST:PORT/DATABASE?name=anew-get&capacity=500&away=refuse
      the processes of all hosts share a bucket on Redis; only the host is required. Set the
      password as REDISCLI_AUTH in the environment to keep it off the command line
Each process leases some tokens from Redis in advance, and spends them first when Redis does not
answer. Without a lease, away=refuse refuses retries, away=share&processes=N pays them from a
bucket of capacity/N tokens of this process, and away=grant grants them all. A retry waits for
Redis at most 5 ms after its delay; first attempts never wait.
A strategy that you name has a quota of its own.
)";

constexpr std::string_view parts =
    R"(A body with another checksum than --sha256 is retried too, from zero.

After a body that broke, the next attempt of a GET asks for the rest alone (Range, If-Range) if the
server gave the body a strong ETag, or a Last-Modified a minute before its Date. It begins at zero
when the body has changed since, or the server answers with anything else than that rest.
)";

constexpr std::string_view files =
    R"(The timeline goes to standard error. A body is received in a file without a name, and passed on
when it is complete, never in part. A file is written when every URL for it was fetched: one that
exists keeps its owner, mode and links, and until then its content. A terminal gets the text of a
body without characters that would steer it.

--continue receives into FILE.part, and notes in FILE.part.json what it is the beginning of. The
next run asks for the rest. It trusts that FILE.part holds what the server sent; if you do not,
give --sha256.

Sizes: 500B, 20kB, 64MiB, 2GB. A line of --input: URL, or URL sha256=HEX; # begins a comment.
)";

constexpr std::string_view exit_codes = R"(Exit codes:
    0  everything was fetched
    1  an HTTP error that is not retried (404, or 500 after a POST), a body above --max-size, or
       output that failed; in the demonstration: a scene that did not go as it should
    2  bad usage, bad URL: nothing was fetched
    3  gave up: the last permitted attempt failed
    4  gave up: the deadline
    5  gave up: the quota for retries is spent
    6  gave up: the server asked for a longer wait than --longest-hint
    7  a connection that no retry can mend (a refused certificate, an answer that cannot be read)
    8  gave up: the gate of --strategy (such as circuit_breaker) refused the attempt
    9  gave up: the pacer has no room
  130  interrupted by SIGINT (129: by SIGHUP, 131: by SIGQUIT, 143: by SIGTERM)
With several URLs: the code of the first that failed.
)";

constexpr std::string_view examples = R"(Examples:
  anew-get https://example.org/report -o report.html
  anew-get --deadline 30s --per-attempt 5s --hint clamp https://example.org/
  anew-get --demo
)";

}  // namespace

help_page const& help() {
  static help_page const page{"anew-get",
                              "[OPTIONS] URL...",
                              "Fetches URLs, and tries again where that can help.",
                              {{"strategy", "Strategy", help_on_strategies},
                               {"quota", "", quotas},
                               {"request", "Request", ""},
                               {"retries", "", help_on_retries},
                               {"resuming", "", parts},
                               {"connection", "Connection", ""},
                               {"output", "Output", files},
                               {"load", "Load", ""},
                               {"demo", "Demonstration", ""},
                               {"exit-codes", "", exit_codes}},
                              examples};
  return page;
}

}  // namespace anew_get
