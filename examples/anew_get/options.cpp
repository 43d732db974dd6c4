// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>

#include "anew/anew.hpp"
#include "anew/aws/settings/config_error.hpp"
#include "anew/value/word.hpp"

#include "demo.hpp"
#include "exit_code.hpp"
#include "named.hpp"
#include "option_values.hpp"
#include "options.hpp"
#include "text.hpp"

namespace anew_get {

namespace {

enum class backoff_choice { none, constant, exponential };

std::uint32_t attempts_of(std::string const& option, std::string const& text) {
  auto const read = read_number<std::uint32_t>(text);
  if (!read || *read == 0)
    refuse(option, text, "must be a whole number from 1 to 4294967295; the first attempt counts");
  return *read;
}

/// A number, nothing for a quota without a limit, or the text of a quota that processes share.
using quota_choice = std::variant<std::optional<std::uint32_t>, std::string>;

quota_choice quota_of(std::string const& option, std::string const& text) {
  if (text == "unlimited") return std::nullopt;
  if (is_shared_quota(text)) return text;
  auto const read = read_number<std::uint32_t>(text);
  if (!read) {
    refuse(option, text, "must be a whole number from 0 to 4294967295, 'unlimited', shm:NAME or redis://HOST");
  }
  return read;
}

std::uint64_t seed_of(std::string const& option, std::string const& text) {
  auto const read = read_number<std::uint64_t>(text);
  if (!read) refuse(option, text, "must be a whole number from 0 to 18446744073709551615");
  return *read;
}

/// "1.5" is 3/2.
anew::rational factor_of(std::string const& option, std::string const& text) {
  anew::word w;
  w.all = w.name = text;
  try {
    auto const [num, den] = w.as_ratio();
    if (den <= num && den <= 1'000'000 && num / den <= 1'000'000) return {num, den};
  } catch (anew::fault_found const&) {  // told below
  }
  refuse(option, text, "must be a number from 1 to 1000000 with at most six decimals, such as 2 or 1.5");
}

template <class Value>
using names = std::vector<std::pair<std::string_view, Value>>;

template <class Value>
std::string one_of(names<Value> const& all) {
  std::string text;
  for (auto const& [name, value] : all) text.append(text.empty() ? "" : "|").append(name);
  return text;
}

template <class Value>
auto choice(names<Value> all) {
  return [all = std::move(all)](std::string const& option, std::string const& text) {
    for (auto const& [name, value] : all) {
      if (name == text) return value;
    }
    refuse(option, text, "must be one of " + one_of(all));
  };
}

unsigned scene_of(std::string const& option, std::string const& text) {
  auto const read = read_number<unsigned>(text);
  if (!read || *read == 0 || *read > number_of_scenes) {
    refuse(option, text, "must be a scene from 1 to " + std::to_string(number_of_scenes) + ", or nothing for all");
  }
  return *read;
}

constexpr std::string_view exit_codes_help = R"(Durations: 250ms, 2s, 1.5s, 100us, 1m.

A strategy as text: policies with their arguments, in any order, as --describe prints them. What
it does not name is as without options. A mistake is pointed at.
  anew-get --strategy 'linear(1s,10s) equal_jitter unbounded deadline(1m)' https://example.org/

A quota that processes share, in the place of WHERE:
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

A strategy by its name: aws-standard, aws-standard-2020, aws-adaptive, aws-adaptive-2020,
aws-legacy, aws-dynamodb, aws-long-polling, grpc, step-functions; from-config is what
AWS_RETRY_MODE, AWS_MAX_ATTEMPTS and the files ~/.aws/config and ~/.aws/credentials say.
These count a bare 503 as throttling, and those of AWS tell the service in a header which attempt
of which call a request is.

What is retried: connections that fail, answers that are cut off or do not come in time, and the
statuses 408, 429, 500, 502, 503, 504. What may have taken effect on the server (all of these but
408, 429, 503 and a request that was never sent) is repeated for GET, HEAD, PUT, DELETE, OPTIONS
and TRACE; for POST, PATCH and others only with --idempotent.

The timeline goes to standard error. A body is written when it is complete, never in part. A file
is written when every URL was fetched: one that exists keeps its owner, mode and links, and until
then its content. A terminal gets the text of a body without characters that would steer it.

Exit codes:
    0  everything was fetched
    1  an HTTP error that is not retried (404, or 500 after a POST), or output that failed;
       in the demonstration: a scene that did not go as it should
    2  bad usage, bad URL: nothing was fetched
    3  gave up: the last permitted attempt failed
    4  gave up: the deadline
    5  gave up: the quota for retries is spent
    6  gave up: the server asked for a longer wait than --longest-hint
    7  a connection that no retry can mend (a refused certificate)
    8  gave up: the gate (circuit_breaker and others, in --strategy) lets no attempt begin
    9  gave up: the pacer has no room
  130  interrupted by SIGINT (129: by SIGHUP, 131: by SIGQUIT, 143: by SIGTERM)
With several URLs: the code of the first that failed.

Examples:
  anew-get https://example.org/report -o report.html
  anew-get --deadline 30s --per-attempt 5s --hint clamp https://example.org/
  anew-get --demo)";

class command_line {
 public:
  command_line()
      : app_{"Fetches URLs, and tries again where that can help, with a strategy composed from the options.",
             "anew-get"} {
    names<backoff_choice> const backoffs{{"none", backoff_choice::none},
                                         {"constant", backoff_choice::constant},
                                         {"exponential", backoff_choice::exponential}};
    names<std::string> const jitters{{"none", "no_jitter"},
                                     {"full", "full_jitter"},
                                     {"equal", "equal_jitter"},
                                     {"decorrelated", "decorrelated_jitter"}};
    names<anew::long_hint> const hints{
        {"stop", anew::long_hint::stop}, {"clamp", anew::long_hint::clamp}, {"ignore", anew::long_hint::ignore}};
    names<anew::at_deadline> const endings{{"stop", anew::at_deadline::stop},
                                           {"clamp", anew::at_deadline::clamp},
                                           {"last-try", anew::at_deadline::last_try}};
    auto& s = settings_;
    app_.set_help_flag("-h,--help", "print this and exit");
    app_.set_version_flag(
        "--version",
        "anew-get " ANEW_VERSION_STRING " (libcurl " + std::string{curl_version_info(CURLVERSION_NOW)->version} + ")",
        "print the version and exit");
    app_.get_formatter()->column_width(32);
    app_.footer(std::string{exit_codes_help});
    app_.add_option("URL", s.urls, "what to fetch, one after the other; the quota is shared")->type_name("");

    group("Strategy");
    value("--attempts", attempts_, attempts_of, "N", "attempts for each URL, the first included (3)");
    flag("--unbounded", unbounded_, "any number of attempts; what --deadline alone means too");
    value("--backoff", backoff_, choice(backoffs), one_of(backoffs), "how the wait grows (exponential)");
    value("--base", base_, duration_of, "DUR", "the wait before the first retry, before jitter (50ms)");
    value("--cap", cap_, duration_of, "DUR", "no wait is longer, unless the server asks for it (20s)");
    value("--factor", growth_, factor_of, "F", "how much longer each wait is than the one before (2)");
    value("--jitter", jitter_, choice(jitters), one_of(jitters), "where in that the wait is drawn (full)");
    value("--quota", quota_, quota_of, "N|unlimited|WHERE",
          "what all retries may spend: 14 each, 5 after 429 (500); WHERE: see below");
    value("--hint", hint_, choice(hints), one_of(hints), "when Retry-After asks for more than is permitted (stop)");
    value("--longest-hint", longest_hint_, duration_of, "DUR", "how long a wait Retry-After may ask for (60s)");
    value("--deadline", deadline_, above_zero, "DUR", "for each URL, attempts and waits together (none)");
    value("--at-deadline", at_deadline_, choice(endings), one_of(endings), "when a wait would pass it (stop)");
    value("--reserve", reserve_, duration_of, "DUR", "begin no attempt with less time than this (0s)");
    value("--per-attempt", s.per_attempt, above_zero, "DUR", "for each attempt (none)");
    value("--seed", seed_, seed_of, "N", "the same jitter each time");
    value("--strategy", s.strategy, strategy_of, "TEXT",
          "all of this in one text, such as --describe prints, or a name; see below");
    flag("--describe", s.describe, "print the composed strategy and exit");

    group("Request");
    value("-X,--method", s.asked.method, method_of, "METHOD", "(GET; POST with --data)");
    value("-d,--data", s.asked.data, data_of, "DATA", "the request's body; @FILE for what is in a file");
    app_.add_option_function<std::vector<std::string>>(
            "-H,--header",
            [&s](std::vector<std::string> const& lines) {
              for (auto const& line : lines) s.asked.headers.push_back(header_of("--header", line));
            },
            "'Name: value'; may be given more than once")
        ->type_name("LINE")
        ->allow_extra_args(false)
        ->group(group_);
    flag("-L,--location", s.asked.follow_redirects, "follow redirections, at most ten");
    flag("--idempotent", s.idempotent, "the request may run twice without harm, whatever its method");

    group("Output");
    value("-o,--output", s.output, text_of, "FILE", "for the bodies, in the place of standard output");
    flag("--json", s.json, "the timeline as JSON lines on standard output; bodies only with -o");
    flag("-q,--quiet", s.quiet, "no timeline; one line for each URL that failed");

    group("Load");
    value("--for", s.load_for, above_zero, "DUR", "fetch the URL again and again, for so long, and print a table");
    value("--callers", s.callers, attempts_of, "N", "threads that do so at once; they share the strategy (1)");

    value("--limited", s.limited, attempts_of, "N",
          "in the place of a URL: a server inside, with 429 beyond N requests a second");

    group("Demonstration");
    app_.add_option_function<std::vector<std::string>>(
            "--demo",
            [&s](std::vector<std::string> const& which) {
              if (which.size() > 1) refuse("--demo", which[1], "takes one scene at most, and no URL");
              s.demo = which.empty() || which.front().empty() ? 0 : scene_of("--demo", which.front());
            },
            "what can happen, shown against a server that misbehaves; or one scene of it")
        ->type_name("[SCENE]")
        ->expected(0, 1000)
        ->group(group_);
  }

  settings parse(std::vector<std::string> const& arguments) {
    anew_get::parse(app_, "anew-get", arguments);
    check();
    return settings_;
  }

  CLI::App& app() { return app_; }

 private:
  [[nodiscard]] bool given(std::string const& name) const { return app_.count(name) > 0; }

  void group(std::string name) { group_ = std::move(name); }

  template <class T, class Read>
  void value(std::string const& spelling, T& into, Read read, std::string type, std::string help) {
    auto const name = spelling.substr(spelling.find("--"));
    app_.add_option_function<std::vector<std::string>>(
            spelling,
            [&into, read, name](std::vector<std::string> const& all) { into = read(name, only_value(name, all)); },
            std::move(help))
        ->type_name(std::move(type))
        ->allow_extra_args(false)
        ->group(group_);
  }

  void flag(std::string const& spelling, bool& into, std::string help) {
    app_.add_flag(spelling, into, std::move(help))->group(group_);
  }

  /// The strategy is said by a name or a text, or option by option.
  void check_strategy() {
    auto& s = settings_;
    if (auto const* const shared = std::get_if<std::string>(&quota_)) {
      // Not before the whole command line is read: a bucket that is opened is made.
      try {
        s.quota = open_shared_quota(*shared);
      } catch (quota_error const& e) {
        refuse("--quota", *shared, e.what());
      }
    }
    s.by_single_options = !given("--strategy");
    if (s.by_single_options) {
      check_strategy_options();
      s.strategy = text_of_options();
    }
    for (auto const* const name : {"--attempts", "--unbounded", "--backoff", "--base", "--cap", "--factor", "--jitter",
                                   "--quota", "--hint", "--longest-hint", "--deadline", "--at-deadline", "--reserve"}) {
      bool const is_in_no_text = s.quota && name == std::string_view{"--quota"} && !is_strategy_name(s.strategy);
      if (given(name) && !s.by_single_options && !is_in_no_text) {
        throw usage_error{"--strategy and " + std::string{name} + " exclude each other: the " +
                          (is_strategy_name(s.strategy) ? "strategy of this name" : "text") + " says it all"};
      }
    }
    if (is_strategy_name(s.strategy) && seed_) {
      throw usage_error{"--strategy " + s.strategy + " and --seed exclude each other"};
    }
    made_strategy made;
    try {
      made = make_strategy(s.strategy, s.quota);
    } catch (anew::aws_settings::config_error const& e) {
      throw usage_error{"--strategy " + s.strategy + ": " + e.what()};
    }
    if (made.makes_a_last_try && !s.per_attempt) {
      throw usage_error{std::string{s.by_single_options ? "--at-deadline last-try" : "the last_try of --strategy"} +
                        " needs --per-attempt: how long the last attempt may take"};
    }
    s.deadline = made.deadline;
    s.longest_hint = made.longest_hint;
    if (!seed_) return;
    if (made.strategy->describe().find("seed(") != std::string::npos) {
      throw usage_error{"--seed and the seed of --strategy exclude each other"};
    }
    s.strategy.append(" seed(").append(std::to_string(*seed_)).append(")");
  }

  // Checks that concern several options.
  void check() {
    auto& s = settings_;
    if (s.demo) {
      // As in `--demo --json 3`.
      if (*s.demo == 0 && s.urls.size() == 1) s.demo = scene_of("--demo", std::exchange(s.urls, {}).front());
      if (!s.urls.empty()) refuse("--demo", s.urls.front(), "takes one scene at most, and no URL");
      return;
    }
    check_strategy();
    if (s.limited && !s.load_for) throw usage_error{"--limited needs --for"};
    if (s.limited && !s.urls.empty()) refuse("--limited and URL", s.urls.front(), "exclude each other");
    if (s.load_for && s.urls.size() > 1) throw usage_error{"--for takes one URL"};
    if (!s.load_for && given("--callers")) throw usage_error{"--callers needs --for"};
    if (s.callers > 1000) refuse("--callers", std::to_string(s.callers), "must be a whole number from 1 to 1000");
    if (s.json && s.output == "-") throw usage_error{"--output '-': standard output is for --json"};
    if (s.asked.data && !given("--method")) s.asked.method = "POST";
    if (s.asked.data && s.asked.method == "HEAD") throw usage_error{"--data: HEAD has no body"};
    for (auto const idempotent : {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"}) {
      s.idempotent = s.idempotent || s.asked.method == idempotent;
    }
    if (s.describe) return;
    if (s.urls.empty() && !s.limited) throw usage_error{"no URL to fetch; anew-get --help tells more"};
    for (auto const& url : s.urls) {
      if (auto const fault = fault_of_url(url)) refuse("bad URL", url, *fault);
    }
  }

  void check_strategy_options() {
    if (unbounded_ && given("--attempts")) throw usage_error{"--attempts and --unbounded exclude each other"};
    if (unbounded_ || (given("--deadline") && !given("--attempts"))) attempts_.reset();

    if (!given("--base")) base_ = std::min(base_, cap_);
    if (cap_ < base_) refuse("--cap", as_given(cap_), "must not be below --base " + as_given(base_));
    if (backoff_ == backoff_choice::exponential && base_ == anew::duration::zero()) {
      refuse("--base", "0s", "must be above zero; for no waits there is --backoff none");
    }
    if (!deadline_) {
      for (auto const* const name : {"--at-deadline", "--reserve"}) {
        if (given(name)) throw usage_error{std::string{name} + " needs --deadline"};
      }
      return;
    }
    if (reserve_ >= *deadline_) {
      refuse("--reserve", as_given(reserve_), "must be below --deadline " + as_given(*deadline_));
    }
    if (at_deadline_ == anew::at_deadline::clamp && reserve_ == anew::duration::zero()) {
      throw usage_error{"--at-deadline clamp needs --reserve: the time that the last attempt takes"};
    }
  }

  // [text]
  /// What the single options say, as a text. The policies' constructors throw std::invalid_argument.
  [[nodiscard]] std::string text_of_options() const {
    auto text = backoff_ == backoff_choice::none       ? anew::no_backoff{}.describe()
                : backoff_ == backoff_choice::constant ? anew::constant_backoff{base_}.describe()
                                                       : anew::exponential_backoff{base_, cap_, growth_}.describe();
    auto const add = [&text](std::string const& word) { text.append(" ").append(word); };
    add(jitter_);
    if (auto const* const own = std::get_if<std::optional<std::uint32_t>>(&quota_)) {
      add(*own ? anew::token_bucket{**own}.describe() : anew::unlimited_quota{}.describe());
    }
    add(attempts_ ? anew::max_attempts{*attempts_}.describe() : anew::unbounded{}.describe());
    add(anew::server_hint{hint_, longest_hint_}.describe());
    if (deadline_) add(anew::deadline{*deadline_, at_deadline_, reserve_}.describe());
    return text;
  }
  // [/text]

  CLI::App app_;
  settings settings_;
  std::string group_;

  // The parts of the strategy where no --strategy is given.
  std::optional<std::uint32_t> attempts_ = 3;  // nothing: without a limit
  bool unbounded_ = false;
  backoff_choice backoff_ = backoff_choice::exponential;
  anew::duration base_ = std::chrono::milliseconds{50};
  anew::duration cap_ = std::chrono::seconds{20};
  anew::rational growth_{2};
  std::string jitter_ = "full_jitter";
  quota_choice quota_ = std::optional<std::uint32_t>{500};
  anew::long_hint hint_ = anew::long_hint::stop;
  anew::duration longest_hint_ = std::chrono::seconds{60};
  std::optional<anew::duration> deadline_;
  anew::at_deadline at_deadline_ = anew::at_deadline::stop;
  anew::duration reserve_{};
  std::optional<std::uint64_t> seed_;
};

}  // namespace

std::variant<settings, int> parse_options(std::vector<std::string> const& arguments, std::ostream& output,
                                          std::ostream& errors) {
  command_line line;
  try {
    auto read = line.parse(arguments);
    if (read.per_attempt && read.deadline && *read.per_attempt >= *read.deadline) {
      errors << "anew-get: warning: --per-attempt " << as_given(*read.per_attempt) << " is not below --deadline "
             << as_given(*read.deadline) << ": one slow attempt takes all the time\n";
    }
    return read;
  } catch (std::exception const&) {
    return answer_instead(line.app(), "anew-get", output, errors);
  }
}

}  // namespace anew_get
