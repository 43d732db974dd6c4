// SPDX-License-Identifier: BSL-1.0
// anew-fleet: simulates what scenario files say of clients and services, with the library's own strategies.
#include <unistd.h>

#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <variant>
#include <vector>

#include "options.hpp"
#include "output.hpp"
#include "scenario_file.hpp"
#include "simulations.hpp"
#include "streams.hpp"

namespace anew_fleet {

namespace {

int simulate_files(settings const& s) {
  std::vector<scenario_file> files;
  files.reserve(s.files.size());
  for (auto const& path : s.files) files.push_back(read_scenario(path));  // all of them, before any is simulated

  how by;
  by.seeds = s.seeds;
  by.jobs = s.jobs;
  by.by_second = s.by_second;
  bool const is_shown = ::isatty(STDERR_FILENO) == 1;
  if (is_shown) by.show = [](double share) { print_progress(share, std::cerr); };
  if (s.log) by.see = [](auto const& event) { print_event(event, std::cout); };

  std::string json;
  for (auto const& file : files) {
    auto const results = run(file, by);
    if (is_shown) clear_progress(std::cerr);
    if (s.json) {
      json.append(json.empty() ? "" : ",").append(json_of(file, results));
    } else {
      if (&file != &files.front()) std::cout << '\n';
      print_text(file, results, std::cout);
    }
  }
  if (s.json) std::cout << (files.size() == 1 ? json : "[" + json + "]") << '\n';
  return exit_code::simulated;
}

}  // namespace

}  // namespace anew_fleet

int main(int argc, char** argv) {
  anew_get::open_standard_streams();
  int code = anew_fleet::exit_code::bad_usage;
  try {
    auto const parsed = anew_fleet::parse_options({argv + 1, argv + argc}, std::cout, std::cerr);
    auto const* const done = std::get_if<int>(&parsed);
    code = done != nullptr ? *done : anew_fleet::simulate_files(std::get<anew_fleet::settings>(parsed));
  } catch (anew_fleet::file_error const& wrong) {
    std::cerr << wrong.what() << '\n';  // as a compiler writes it: editors jump to the line
  } catch (std::bad_alloc const&) {
    std::cerr << "anew-fleet: there is not enough memory for this file; simulate fewer clients, or give --jobs 1\n";
    code = anew_fleet::exit_code::no_memory;
  } catch (std::exception const& e) {
    std::cerr << "anew-fleet: " << e.what() << '\n';
  }
  return anew_get::checked(code, "anew-fleet");
}
