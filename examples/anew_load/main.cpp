// SPDX-License-Identifier: BSL-1.0
// anew-load: calls a URL again and again from an event loop, with a retry strategy, and says how long calls took.

#include <unistd.h>

#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <variant>

#include "files.hpp"
#include "interruptible.hpp"
#include "load.hpp"
#include "option_values.hpp"
#include "options.hpp"
#include "output.hpp"
#include "signals.hpp"
#include "streams.hpp"
#include "text.hpp"

namespace anew_load {

namespace {

int run(settings const& s) {
  anew_get::raise_descriptor_limit();
  anew_get::signal_watch const signals;
  anew_get::interruptible const writing{signals.wake()};
  anew_get::interruptible_stream const out{std::cout, STDOUT_FILENO, writing};
  anew_get::interruptible_stream const errors{std::cerr, STDERR_FILENO, writing};
  std::function<void(progress const&)> show;
  bool const shows = !s.quiet && !s.json && !s.observe && anew_get::can_redraw(STDERR_FILENO);
  if (s.observe && !s.quiet) show = [](progress const& far) { print_status(far, std::cout); };
  if (shows) {
    show = [colours = anew_get::paint_for(STDERR_FILENO)](progress const& far) {
      print_progress(far, std::cerr, colours);
    };
  }
  result_files files{s};
  auto const report = run_load(s, signals.token(), show);
  if (shows) clear_progress(std::cerr);
  files.write(report);
  if (s.observe) {
    std::ofstream whole{std::filesystem::path{*s.observe} / "report.json"};
    print_json(report, s, whole);
    if (!whole.flush()) throw std::runtime_error{"--observe: report.json could not be written"};
  }
  if (s.json) {
    print_json(report, s, std::cout);
  } else {
    print_table(report, s, std::cout, anew_get::paint_for(STDOUT_FILENO));
  }
  warn_of_refused_certificates(report, std::cerr);
  warn_of_missing_descriptors(report, std::cerr);
  if (signals.caught() != 0) return exit_code::signalled + signals.caught();
  return report.ok() != 0 ? exit_code::measured : exit_code::nothing_answered;
}

}  // namespace

}  // namespace anew_load

int main(int argc, char** argv) {
  anew_get::open_standard_streams();
  int code = anew_load::exit_code::nothing_answered;
  try {
    auto const parsed = anew_load::parse_options({argv + 1, argv + argc}, std::cout, std::cerr);
    auto const* const done = std::get_if<int>(&parsed);
    code = done != nullptr ? *done : anew_load::run(std::get<anew_load::settings>(parsed));
  } catch (anew_get::usage_error const& e) {
    std::cerr << "anew-load: " << anew_get::printable(e.what()) << '\n';
    code = anew_load::exit_code::bad_usage;
  } catch (std::exception const& e) {
    std::cerr << "anew-load: " << anew_get::printable(e.what()) << '\n';
  }
  return anew_get::checked(code, "anew-load");
}
