// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "help.hpp"
#include "option_values.hpp"

namespace anew_get {

namespace {

constexpr std::string_view first_line = "Fetches URLs, and tries again where that can help.";
constexpr std::string_view usage = "Usage: anew-get [OPTIONS] URL...";

constexpr std::string_view strategies =
    R"(A strategy as text: policies with their arguments, in any order, as --describe prints them. What
it does not name is as without options. A mistake is pointed at.
  anew-get --strategy 'linear(1s,10s) equal_jitter unbounded deadline(1m)' https://example.org/

A strategy by its name: aws-standard, aws-standard-2020, aws-adaptive, aws-adaptive-2020,
aws-legacy, aws-dynamodb, aws-long-polling, grpc, step-functions; from-config is what
AWS_RETRY_MODE, AWS_MAX_ATTEMPTS and the files ~/.aws/config and ~/.aws/credentials say.
These count a bare 503 as throttling, and those of AWS tell the service in a header which attempt
of which call a request is.

Durations: 250ms, 2s, 1.5s, 100us, 1m.
)";

constexpr std::string_view quotas = R"(A quota that processes share, in the place of WHERE:
  shm:NAME?capacity=500
      all your processes on this host share the file /dev/shm/anew.NAME until you remove it
  redis://USER:PASSWORD@HOST:PORT/DATABASE?name=anew-get&capacity=500&away=refuse
      the processes of all hosts share a bucket on Redis; only the host is required. Set the
      password as REDISCLI_AUTH in the environment to keep it off the command line
Each process leases some tokens from Redis in advance, and spends them first when Redis does not
answer. Without a lease, away=refuse refuses retries, away=share&processes=N pays them from a
bucket of capacity/N tokens of this process, and away=grant grants them all. A retry waits for
Redis at most 5 ms after its delay; first attempts never wait.
A strategy that you name has a quota of its own.
)";

constexpr std::string_view retries =
    R"(Retried are connections that fail, answers that are cut off or do not come in time, the
statuses 408, 429, 500, 502, 503, 504, and a body with another checksum than --sha256. What may
have taken effect on the server (all of these but 408, 429, 503 and a request that was never sent)
is repeated for GET, HEAD, PUT, DELETE, OPTIONS and TRACE; for POST, PATCH and others only with
--idempotent.

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
    7  a connection that no retry can mend (a refused certificate, an answer that is not HTTP)
    8  gave up: the gate (circuit_breaker and others, in --strategy) lets no attempt begin
    9  gave up: the pacer has no room
  130  interrupted by SIGINT (129: by SIGHUP, 131: by SIGQUIT, 143: by SIGTERM)
With several URLs: the code of the first that failed.
)";

constexpr std::string_view examples = R"(Examples:
  anew-get https://example.org/report -o report.html
  anew-get --deadline 30s --per-attempt 5s --hint clamp https://example.org/
  anew-get --demo
)";

/// A topic: the options of a group, and what there is to say. Either may be empty.
struct section {
  std::string_view topic;
  std::string_view group;
  std::string_view text;
};
constexpr std::array sections{section{"strategy", "Strategy", strategies},
                              section{"quota", "", quotas},
                              section{"request", "Request", ""},
                              section{"retries", "", retries},
                              section{"connection", "Connection", ""},
                              section{"output", "Output", files},
                              section{"load", "Load", ""},
                              section{"demo", "Demonstration", ""},
                              section{"exit-codes", "", exit_codes}};

std::vector<CLI::Option const*> options_of(CLI::App const& app, std::string_view group) {
  return app.get_options([group](CLI::Option const* one) { return one->get_group() == group && one->nonpositional(); });
}

std::string text_of(section const& one, CLI::App const& app, CLI::Formatter const& formatter) {
  std::string text;
  if (!one.group.empty()) {
    text = formatter.make_group(std::string{one.group}, false, options_of(app, one.group));
    text.erase(0, text.find_first_not_of('\n'));
    if (!one.text.empty()) text += '\n';
  }
  return text.append(one.text);
}

/// The names of its options, in lines of 80 columns.
std::string names_of(section const& one, CLI::App const& app) {
  constexpr std::size_t margin = 14;
  constexpr std::size_t width = 80;
  std::string text{"  "};
  text.append(one.topic).append(margin - 2 - one.topic.size(), ' ');
  auto used = margin;
  for (auto const* const option : options_of(app, one.group)) {
    auto name = option->get_name();  // the first of its names
    auto const longer = name.size() + 1;
    if (used + longer > width) {
      text.append("\n").append(margin, ' ');
      used = margin;
    }
    text.append(name).append(" ");
    used += longer;
  }
  text.pop_back();
  return text + "\n";
}

std::string overview(CLI::App const& app) {
  std::string text{usage};
  text.append("\n").append(first_line).append("\n\nOptions, by topic; anew-get --help TOPIC explains them:\n");
  for (auto const& one : sections) {
    if (!one.group.empty()) text += names_of(one, app);
  }
  text += "  and about    ";
  for (auto const& one : sections) {
    if (one.group.empty()) text.append(one.topic).append(", ");
  }
  return text.append("or all\n\n").append(examples);
}

}  // namespace

std::string help_on(CLI::App const& app, CLI::Formatter const& formatter, std::string const& topic) {
  if (topic.empty()) return overview(app);
  if (topic == "all") {
    std::string text{first_line};
    text.append("\n").append(usage).append("\n\n");
    text.append(formatter.make_group("Options", false, options_of(app, "Options")).substr(1));
    for (auto const& one : sections) text.append("\n").append(text_of(one, app, formatter));
    return text.append("\n").append(examples);
  }
  std::string topics{"all"};
  for (auto const& one : sections) {
    if (one.topic == topic) return text_of(one, app, formatter);
    topics.append(", ").append(one.topic);
  }
  refuse("--help", topic, "must be one of " + topics);
}

}  // namespace anew_get
