// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <charconv>
#include <ostream>
#include <stdexcept>
#include <string_view>
#include <thread>

#include <CLI/CLI.hpp>

#include "anew/base/platform/version.hpp"

#include "by_text.hpp"
#include "options.hpp"

namespace anew_fleet {

namespace {

struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

constexpr std::string_view footer =
    R"(A row counts the calls that began in a phase, and the attempts that the service got in it:
  calls    that began
  attempts that came to the service, and how many of them for each call
  good     calls that succeeded
  failed   calls that ended otherwise; 'no quota' are those of them whose retry no quota paid for
  p50 ...  the time that the calls took which succeeded, in milliseconds; - where none did

Exit codes:
  0  the files were simulated
  1  the output could not be written, or the memory did not suffice
  2  bad usage, or a file that is wrong

Examples:
  anew-fleet outage.json
  anew-fleet outage.json --per second
  anew-fleet *.json --seeds 20 --json)";

unsigned whole_number(std::string const& option, std::string const& text, unsigned most) {
  unsigned value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 1 || value > most) {
    throw usage_error{option + " '" + text + "': must be a whole number from 1 to " + std::to_string(most)};
  }
  return value;
}

}  // namespace

std::variant<settings, int> parse_options(std::vector<std::string> const& arguments, std::ostream& output,
                                          std::ostream& errors) {
  settings s;
  s.jobs = std::max(1U, std::thread::hardware_concurrency());
  std::string per = "phase";
  CLI::App app{"Simulates what scenario files say of clients, services and their troubles.", "anew-fleet"};
  app.set_help_flag("-h,--help", "print this and exit");
  app.set_version_flag("--version", "anew-fleet " ANEW_VERSION_STRING, "print the version and exit");
  app.get_formatter()->column_width(26);
  app.footer(std::string{footer} + "\n\nPresets of strategies: " + anew_plan::preset_names());
  app.add_option("FILE", s.files, "scenario files; docs/how_to/simulate_a_fleet.md has their fields")->type_name("");
  app.add_option("--per", per, "a row for each phase, or second (phase)")->type_name("PERIOD");
  auto const number = [&app](char const* name, unsigned& value, unsigned most, char const* help) {
    app.add_option_function<std::string>(
           name, [&value, name, most](std::string const& text) { value = whole_number(name, text, most); }, help)
        ->type_name("N");
  };
  number("--seeds", s.seeds, 1'000, "simulate with so many seeds, and print minimum, median and maximum (1)");
  number("--jobs", s.jobs, 256, "simulations at a time (one for each processor)");
  app.add_flag("--json", s.json, "print one JSON object for each file, in an array if there are several");
  app.add_flag("--log", s.log, "print each event before the table");
  try {
    std::vector<std::string> reversed{arguments.rbegin(), arguments.rend()};  // CLI11 takes them from the back
    app.parse(reversed);
    if (s.files.empty()) throw usage_error{"name at least one FILE"};
    if (per != "phase" && per != "second") throw usage_error{"--per '" + per + "': must be phase or second"};
    s.by_second = per == "second";
    if (s.log && (s.json || s.seeds != 1))
      throw usage_error{"--log prints one simulation as text: omit --json and --seeds"};
    return s;
  } catch (CLI::Success const& done) {  // --help and --version
    return app.exit(done, output, errors);
  } catch (CLI::ParseError const& wrong) {
    errors << "anew-fleet: " << wrong.what() << "\nTry 'anew-fleet --help'\n";
  } catch (usage_error const& wrong) {
    errors << "anew-fleet: " << wrong.what() << "\nTry 'anew-fleet --help'\n";
  }
  return exit_code::bad_usage;
}

}  // namespace anew_fleet
