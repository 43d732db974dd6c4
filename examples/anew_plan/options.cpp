// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>

#include "anew/base/platform/version.hpp"
#include "anew/text/word.hpp"

#include "by_text.hpp"
#include "command_line.hpp"
#include "instant.hpp"
#include "option_formatter.hpp"
#include "options.hpp"

namespace anew_plan {

namespace {

using namespace std::chrono_literals;

using anew_get::usage_error;

/// As anew-get's, but for the `@` of "10s@10%", which is no user's.
[[noreturn]] void refuse(std::string const& option, std::string const& value, std::string const& why) {
  throw usage_error{option + " '" + value + "': " + why};
}

/// No hexadecimal digits, no "inf" and no "nan".
std::optional<double> decimal_of(std::string const& text) {
  std::optional<anew::text_fault> fault;
  anew::word w;
  w.all = w.name = text;
  w.first_fault = &fault;
  auto const read = w.as_number();
  return fault ? std::nullopt : std::optional{read};
}

double number_of(std::string const& option, std::string const& text, double least, double most,
                 std::string const& why) {
  auto const number = decimal_of(text);
  if (!number || *number < least || *number > most) refuse(option, text, why);
  return *number;
}

std::uint64_t whole_number_of(std::string const& option, std::string const& text, double least, double most,
                              std::string const& why) {
  auto const n = number_of(option, text, least, most, why);
  if (n != std::floor(n)) refuse(option, text, why);
  return static_cast<std::uint64_t>(n);
}

std::uint32_t count_of(std::string const& option, std::string const& text, std::uint32_t most) {
  auto const why = "must be a whole number from 1 to " + std::to_string(most);
  return static_cast<std::uint32_t>(whole_number_of(option, text, 1, most, why));
}

/// As one would type it: "7", "0.25", "35".
std::string short_number(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

anew::duration duration_of(std::string const& option, std::string const& text, anew::duration least) {
  auto const read = anew::word::read_duration(text);
  if (!read) refuse(option, text, "must be a duration, a number and a unit: 250ms, 2s, 1.5s, 1m");
  if (*read < least || *read > 1h) {
    refuse(option, text, least > anew::duration{} ? "must be above zero and at most 1h" : "must be at most 1h");
  }
  return *read;
}

/// "10s@10%".
void read_outage(std::string const& option, std::string const& text, scenario& s) {
  auto const at = text.find('@');
  auto const length = anew::word::read_duration(text.substr(0, at));
  if (at == std::string::npos || !text.ends_with('%') || !length || *length <= anew::duration{} || *length > 1h) {
    refuse(option, text, "must be a time up to 1h and the share of the capacity that remains, such as 10s@10%");
  }
  s.outage = *length;
  auto const percent = decimal_of(text.substr(at + 1, text.size() - at - 2));
  if (!percent || *percent < 0 || *percent > 100) {
    refuse(option, text, "must end with a share from 0% to 100%, such as 10s@10%");
  }
  s.remaining = *percent / 100;
}

/// "a(1,2),b": "a(1,2)" and "b".
std::vector<std::string> split(std::string_view texts) {
  std::vector<std::string> parts{""};
  int depth = 0;
  for (char const c : texts) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0) {
      parts.emplace_back();
    } else if (c != ' ' || !parts.back().empty()) {
      parts.back() += c;
    }
  }
  return parts;
}

constexpr std::string_view footer = R"(A strategy is the name of a preset, or a text such as
  'exponential(50ms,20s) full_jitter token_bucket(500) max_attempts(3)'
in which each failure is a time-out or a transient error. Durations: 250ms, 2s, 1.5s, 1m.

Each client has a strategy of its own, as a process has, and calls at random times. The service
answers in order. A client gives up after the time-out; the service works on the attempt all the same.

Exit codes:
  0  the strategies were planned
  1  with --fail-if-metastable: a strategy holds the service down; or the output could not be
     written, or the memory did not suffice
  2  bad usage

Examples:
  anew-plan aws-standard --clients 100 --rate 7 --capacity 1000 --timeout 1s --outage 10s@10%
  anew-plan --compare aws-standard,grpc,envoy --outage 30s@0%
  anew-plan "$STRATEGY" --rate 20 --capacity 4000 --fail-if-metastable)";

class command_line {
 public:
  command_line() {
    app_.set_help_flag("-h,--help", "print this and exit");
    app_.set_version_flag("--version", "anew-plan " ANEW_VERSION_STRING, "print the version and exit");
    auto const formatter = std::make_shared<anew_get::option_formatter>();
    formatter->column_width(26);
    app_.formatter(formatter);
    app_.footer(std::string{footer} + "\n\nPresets: " + preset_names());
    app_.add_option("STRATEGY", strategy_, "what every client retries by")->type_name("");
    value("--compare", "A,B,C", "several strategies, separated by commas, instead of STRATEGY",
          [this](std::string const&, std::string const& text) { compare_ = text; });
    app_.add_flag("--config", configured_, "the strategy of the AWS variables and files, instead of STRATEGY");
    auto& s = settings_.of;
    value("--clients", "N", "processes (100)",
          [&s](std::string const& option, std::string const& text) { s.clients = count_of(option, text, 10'000); });
    value("--rate", "N", "calls a second of each client (7)", [&s](std::string const& option, std::string const& text) {
      s.rate = number_of(option, text, 0.001, 1e6, "must be a number from 0.001 to 1000000");
    });
    value("--capacity", "N", "attempts a second that the service answers (1000)",
          [&s](std::string const& option, std::string const& text) {
            s.capacity = number_of(option, text, 0.1, 1e7, "must be a number from 0.1 to 10000000");
          });
    value("--timeout", "DUR", "of each attempt (1s)", [&s](std::string const& option, std::string const& text) {
      s.timeout = duration_of(option, text, anew::duration{1});
    });
    value("--latency", "DUR", "of the network, there and back (0s)",
          [&s](std::string const& option, std::string const& text) { s.latency = duration_of(option, text, {}); });
    value("--outage", "DUR@N%", "how long the service has this share of its capacity (10s@10%)",
          [&s](std::string const& option, std::string const& text) { read_outage(option, text, s); });
    value("--outage-mode", "MODE", "what it does with the others: slow, refuses or drops (slow)",
          [&s](std::string const& option, std::string const& text) {
            if (text != "slow" && text != "refuses" && text != "drops") {
              refuse(option, text,
                     "must be slow (attempts wait), refuses (they fail at once) or drops (they are never answered)");
            }
            s.mode = text == "slow" ? outage_mode::slow : text == "refuses" ? outage_mode::refuses : outage_mode::drops;
          });
    value(
        "--layers", "N", "services in a row that retry alike, for the warnings (1)",
        [this](std::string const& option, std::string const& text) { settings_.layers = count_of(option, text, 10); });
    value("--seed", "N", "of the random numbers (1)", [&s](std::string const& option, std::string const& text) {
      s.seed = whole_number_of(option, text, 0, 1e15, "must be a whole number from 0 to 10^15");
    });
    app_.add_flag("--json", settings_.json, "print one JSON object; an array with --compare");
    value("--html", "FILE", "write a page with pictures to this file",
          [this](std::string const& option, std::string const& text) {
            if (text.empty()) refuse(option, text, "must be the name of a file");
            settings_.html = text;
          });
    app_.add_flag("--fail-if-metastable", settings_.fail_if_metastable,
                  "exit code 1 where a strategy holds the service down, with any of three seeds");
  }

  std::variant<settings, int> parse(std::vector<std::string> const& arguments, std::ostream& output,
                                    std::ostream& errors) {
    try {
      anew_get::parse(app_, "anew-plan", arguments);
      return checked();
    } catch (CLI::Success const& done) {  // --help and --version
      return app_.exit(done, output, errors);
    } catch (CLI::ParseError const& wrong) {
      errors << "anew-plan: " << wrong.what() << "\nTry 'anew-plan --help'\n";
    } catch (std::exception const& wrong) {
      errors << "anew-plan: " << wrong.what() << "\nTry 'anew-plan --help'\n";
    }
    return exit_code::bad_usage;
  }

 private:
  template <class Read>
  void value(std::string const& option, char const* type, char const* help, Read read) {
    app_.add_option_function<std::vector<std::string>>(
            option, [option, read](auto const& all) { read(option, anew_get::only_value(option, all)); }, help)
        ->type_name(type)
        ->allow_extra_args(false);
  }

  settings checked() {
    auto& s = settings_;
    if (!strategy_.empty() + !compare_.empty() + configured_ != 1) {
      throw usage_error{"write a STRATEGY, or several after --compare, or --config"};
    }
    if (configured_) strategy_ = "from-config";
    s.compares = !compare_.empty();
    for (auto const& one : s.compares ? split(compare_) : std::vector{strategy_}) {
      auto const text = text_of(one);
      s.strategies.push_back({text == one ? "" : one, text});
      try {
        check_text(text);
      } catch (std::invalid_argument const& wrong) {
        throw usage_error{wrong.what() + std::string{"\nPresets: "} + preset_names()};
      }
    }
    if (s.of.latency >= s.of.timeout) throw usage_error{"--latency must be below --timeout: no attempt would succeed"};
    if (seconds_of((s.of.timeout - s.of.latency).count()) * s.of.capacity < 1) {
      throw usage_error{
          "--timeout must be longer than --latency and the time of an attempt, one second over --capacity: no "
          "attempt would succeed"};
    }
    if (s.of.load() >= 1) {
      throw usage_error{"--clients times --rate is " + short_number(s.of.clients * s.of.rate) +
                        " calls a second: --capacity must be above it"};
    }
    if (s.of.clients * s.of.rate > 100'000) throw usage_error{"--clients times --rate must be at most 100000"};
    return std::move(s);
  }

  CLI::App app_{"Says what a retry strategy does to a service in an outage, by simulating the clients.", "anew-plan"};
  settings settings_;
  std::string strategy_;
  std::string compare_;
  bool configured_ = false;
};

}  // namespace

std::variant<settings, int> parse_options(std::vector<std::string> const& arguments, std::ostream& output,
                                          std::ostream& errors) {
  return command_line{}.parse(arguments, output, errors);
}

}  // namespace anew_plan
