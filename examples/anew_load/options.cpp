// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <ostream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>

#include "anew/anew.hpp"
#include "anew/aws/settings/config_error.hpp"
#include "anew/platform/version.hpp"
#include "anew/value/word.hpp"

#include "named.hpp"
#include "option_values.hpp"
#include "options.hpp"
#include "text.hpp"

namespace anew_load {

namespace {

using anew_get::above_zero;
using anew_get::data_of;
using anew_get::duration_of;
using anew_get::header_of;
using anew_get::method_of;
using anew_get::read_number;
using anew_get::refuse;
using anew_get::strategy_of;
using anew_get::usage_error;

template <class Number>
auto whole(Number least, Number most) {
  return [=](std::string const& option, std::string const& text) {
    auto const read = read_number<Number>(text);
    if (!read || *read < least || *read > most) {
      refuse(option, text, "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return *read;
  };
}

/// "0.75".
std::optional<double> read_decimal(std::string_view text) {
  anew::word w;
  w.all = w.name = text;
  try {
    return w.as_number();
  } catch (anew::fault_found const&) {
    return std::nullopt;
  }
}

double rate_of(std::string const& option, std::string const& text) {
  auto const rate = read_decimal(text).value_or(0);
  if (rate < 0.001 || rate > 1e6) refuse(option, text, "must be a number from 0.001 to 1000000, such as 500");
  return rate;
}

/// "1%": 0.01.
double share_of(std::string const& option, std::string const& all, std::string_view text) {
  auto const percent = text.ends_with('%') ? read_decimal(text.substr(0, text.size() - 1)).value_or(-1) : -1;
  if (percent < 0 || percent > 100) refuse(option, all, "must begin with a share of the requests, such as 1%");
  return percent / 100;
}

server_settings::slow slow_of(std::string const& option, std::string const& text) {
  auto const colon = text.find(':');
  if (colon == std::string::npos) refuse(option, text, "must be a share and a time, such as 1%:500ms");
  auto const by = anew::word::read_duration(text.substr(colon + 1));
  if (!by) refuse(option, text, "must end with a duration, such as 1%:500ms");
  return {share_of(option, text, std::string_view{text}.substr(0, colon)), *by};
}

server_settings::failing failing_of(std::string const& option, std::string const& text) {
  auto const colon = std::min(text.find(':'), text.size());
  server_settings::failing made{share_of(option, text, std::string_view{text}.substr(0, colon)), 503};
  if (colon == text.size()) return made;
  auto const status = read_number<int>(std::string_view{text}.substr(colon + 1));
  if (!status || *status < 400 || *status > 599) refuse(option, text, "must end with a status from 400 to 599");
  made.status = *status;
  return made;
}

std::pair<anew::duration, anew::duration> range_of(std::string const& option, std::string const& text) {
  auto const dots = text.find("..");
  if (dots == std::string::npos) {
    auto const one = duration_of(option, text);
    return {one, one};
  }
  auto const least = anew::word::read_duration(text.substr(0, dots));
  auto const most = anew::word::read_duration(text.substr(dots + 2));
  if (!least || !most || *most < *least) refuse(option, text, "must be a duration, or two: 2ms..8ms");
  return {*least, *most};
}

std::string file_of(std::string const& option, std::string const& text) {
  if (text.empty()) refuse(option, text, "must be the name of a file");
  return text;
}

hedge_choice hedge_of(std::string const& option, std::string const& text) {
  if (text == "off") return {};
  if (text.starts_with('p')) {
    auto const percent = read_number<unsigned>(std::string_view{text}.substr(1));
    if (percent && *percent >= 1 && *percent <= 99) return at_quantile{*percent};
  } else if (auto const delay = anew::word::read_duration(text)) {
    return after_delay{*delay};
  }
  refuse(option, text, "must be a duration such as 10ms, a quantile from p1 to p99, or off");
}

constexpr std::string_view footer = R"(Durations: 250ms, 2s, 1.5s, 100us, 1m.

A strategy is a text or a name, as anew-get reads it; without --strategy it is what anew-get does
by itself. The retries of all calls share its quota.

Without --rate each of the --calls begins its next call when one ends. With --rate calls arrive
evenly, and how long one took counts from when it should have arrived: what waits because all of
--calls are taken counts too.

Exit codes:
    0  something was answered
    1  nothing was answered, the load could not begin, or output that failed
    2  bad usage, bad URL
  130  interrupted by SIGINT (129: by SIGHUP, 131: by SIGQUIT, 143: by SIGTERM), after the table
       of what was measured

Examples:
  anew-load --calls 50 --for 10s http://127.0.0.1:8080/
  anew-load --inside --failing 10%:503 --strategy aws-standard
  anew-load --inside --answer-after 2ms..8ms --slow 1%:500ms --hedge p95 --for 20s)";

class command_line {
 public:
  command_line()
      : app_{"Calls a URL again and again from one event loop, with a retry strategy, and says how long calls took.",
             "anew-load"} {
    auto& s = settings_;
    app_.set_help_flag("-h,--help", "print this and exit");
    app_.set_version_flag("--version", "anew-load " ANEW_VERSION_STRING, "print the version and exit");
    app_.get_formatter()->column_width(32);
    app_.footer(std::string{footer});
    app_.add_option("URL", s.url, "what to call: http://...")->type_name("");

    group("Load");
    value("--calls", s.calls, whole<std::uint32_t>(1, 100'000), "N", "calls at once (10)");
    value("--threads", s.threads, whole<std::uint32_t>(1, 256), "N", "event loops, among which they are dealt out (1)");
    value("--for,--duration", s.load_for, above_zero, "DUR", "for so long (5s)");
    value("--requests", s.requests, whole<std::uint64_t>(1, 1'000'000'000'000), "N", "this many calls, then the end");
    value("--rate", s.rate, rate_of, "N", "calls that arrive in a second (as many as are answered)");
    value("--warm-up", s.warm_up, duration_of, "DUR", "first so long without measuring (0s)");

    group("Strategy");
    value("--strategy", s.strategy, strategy_of, "TEXT", "a text or a name, as anew-get reads it");
    flag("--no-retry", s.no_retry, "the client alone: no part of anew in a call");
    value("--hedge", s.hedge, hedge_of, "DUR|pN|off", "send a second request after so long, or at that quantile (off)");
    value("--attempt-timeout", s.attempt_timeout, above_zero, "DUR", "for each attempt (none)");
    value("--deadline", s.deadline, above_zero, "DUR", "for each call, attempts and waits together (none)");

    group("Request");
    value("-X,--method", s.request.method, method_of, "METHOD", "(GET; POST with --data)");
    value("-d,--data", s.request.data, data_of, "DATA", "the request's body; @FILE for what is in a file");
    app_.add_option_function<std::vector<std::string>>(
            "-H,--header",
            [&s](std::vector<std::string> const& lines) {
              for (auto const& line : lines) s.request.headers.push_back(header_of("--header", line));
            },
            "'Name: value' in the place of the line sent by itself; 'Name:' for no such line")
        ->type_name("LINE")
        ->allow_extra_args(false)
        ->group(group_);
    flag("--idempotent", s.idempotent, "the request may run twice without harm, whatever its method");

    group("A server inside");
    flag("--inside", s.inside, "in the place of a URL: a server inside this program");
    value("--slow", s.server.slow_share, slow_of, "SHARE:DUR",
          "that share of the answers comes later by that: 1%:500ms");
    value("--failing", s.server.failing_share, failing_of, "SHARE[:STATUS]", "that share fails: 10%:503");
    value("--answer-after", range_, range_of, "DUR[..DUR]", "an answer takes so long, drawn evenly (0s)");
    value("--limited", s.server.limited, whole<std::uint32_t>(1, 1'000'000), "N", "429 beyond N requests a second");
    value("--seed", s.server.seed, whole<std::uint64_t>(0, 18'446'744'073'709'551'615U), "N", "which ones (1)");

    group("Output");
    flag("--json", s.json, "the table as one line of JSON");
    value("--csv", s.csv, file_of, "FILE", "a row for each second: calls, attempts by their end, p50, p99, max");
    value("--hdr", s.hdr, file_of, "FILE",
          "the latencies for tools that read HdrHistogram: FILE.hlog is a log by seconds, else percentiles");
    flag("-q,--quiet", s.quiet, "no line of progress");
  }

  settings parse(std::vector<std::string> const& arguments) {
    anew_get::parse(app_, "anew-load", arguments);
    std::tie(settings_.server.least, settings_.server.most) = range_;
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
            [&into, read, name = name.substr(0, name.find(','))](std::vector<std::string> const& all) {
              into = read(name, anew_get::only_value(name, all));
            },
            std::move(help))
        ->type_name(std::move(type))
        ->allow_extra_args(false)
        ->group(group_);
  }

  void flag(std::string const& spelling, bool& into, std::string help) {
    app_.add_flag(spelling, into, std::move(help))->group(group_);
  }

  // Checks that concern several options.
  void check() {
    auto& s = settings_;
    check_strategy();
    check_request();
    if (given("--for") && s.requests) throw usage_error{"--for and --requests exclude each other"};
    if (s.requests && given("--warm-up")) throw usage_error{"--warm-up and --requests exclude each other"};
    if (s.threads > s.calls) {
      refuse("--threads", std::to_string(s.threads), "must not be above --calls " + std::to_string(s.calls));
    }
    check_target();
  }

  void check_target() {
    auto& s = settings_;
    if (s.inside && !s.url.empty()) refuse("--inside and URL", s.url, "exclude each other");
    for (auto const* const name : {"--slow", "--failing", "--answer-after", "--limited", "--seed"}) {
      if (given(name) && !s.inside) throw usage_error{std::string{name} + " needs --inside"};
    }
    auto const& slow = s.server.slow_share;
    auto const& failing = s.server.failing_share;
    if (slow && failing && slow->share + failing->share > 1) {
      throw usage_error{"--slow and --failing: the shares are more than 100% together"};
    }
    if (s.inside) return;
    if (s.url.empty()) throw usage_error{"no URL to call, and no --inside; anew-load --help tells more"};
    if (auto const fault = fault_of_url(s.url)) refuse("bad URL", s.url, *fault);
  }

  void check_request() {
    auto& s = settings_;
    if (s.request.data && !given("--method")) s.request.method = "POST";
    if (s.request.data && s.request.method == "HEAD") throw usage_error{"--data: HEAD has no body"};
    for (auto const idempotent : {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"}) {
      s.idempotent = s.idempotent || s.request.method == idempotent;
    }
    if (s.hedge.index() != 0 && !s.idempotent) {
      throw usage_error{"--hedge sends a request twice: " + s.request.method + " needs --idempotent"};
    }
  }

  void check_strategy() {
    auto& s = settings_;
    if (s.no_retry) {
      if (s.strategy) throw usage_error{"--no-retry and --strategy exclude each other"};
      if (s.hedge.index() != 0) throw usage_error{"--no-retry and --hedge exclude each other"};
      return;
    }
    if (!s.strategy) {
      if (s.deadline) s.strategy = anew::max_attempts<3>{}.describe() + " " + anew::deadline{*s.deadline}.describe();
      return;
    }
    bool const is_name = anew_get::is_strategy_name(*s.strategy);
    if (is_name && s.hedge.index() != 0) {
      throw usage_error{"--strategy " + *s.strategy + " and --hedge exclude each other: it takes a strategy as text"};
    }
    if (is_name && s.deadline) throw usage_error{"--strategy " + *s.strategy + " and --deadline exclude each other"};
    try {
      if (anew_get::make_strategy(*s.strategy).deadline && s.deadline) {
        throw usage_error{"--deadline and the deadline of --strategy exclude each other"};
      }
    } catch (anew::aws_settings::config_error const& e) {
      throw usage_error{"--strategy " + *s.strategy + ": " + e.what()};
    }
    if (s.deadline) add_deadline();
  }

  void add_deadline() {
    auto& text = *settings_.strategy;
    text.append(" ").append(anew::deadline{*settings_.deadline}.describe());
    try {
      static_cast<void>(anew_get::make_strategy(text));
    } catch (anew_get::strategy_error const&) {  // a deadline requires a limit of attempts: the usual one
      text.append(" ").append(anew::max_attempts<3>{}.describe());
    }
  }

  CLI::App app_;
  settings settings_;
  std::pair<anew::duration, anew::duration> range_;
  std::string group_;
};

}  // namespace

std::variant<settings, int> parse_options(std::vector<std::string> const& arguments, std::ostream& output,
                                          std::ostream& errors) {
  command_line line;
  try {
    return line.parse(arguments);
  } catch (std::exception const&) {
    return anew_get::answer_instead(line.app(), "anew-load", output, errors);
  }
}

}  // namespace anew_load
