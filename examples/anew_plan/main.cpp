// SPDX-License-Identifier: BSL-1.0
// anew-plan: says what a retry strategy does to a service in an outage, by simulating the clients.

#include <algorithm>
#include <exception>
#include <fstream>
#include <iostream>
#include <new>
#include <variant>
#include <vector>

#include "options.hpp"
#include "output.hpp"
#include "page.hpp"
#include "streams.hpp"
#include "verdict.hpp"

namespace anew_plan {

namespace {

bool write_page(std::vector<verdict> const& verdicts, settings const& s) {
  std::vector<drawing> drawings;
  drawings.reserve(s.strategies.size());
  for (auto const& one : s.strategies) drawings.push_back(draw(one.text, s.of));
  std::ofstream file{s.html, std::ios::binary};
  if (file) print_page(verdicts, drawings, s, file);
  file.close();
  if (!file) std::cerr << "anew-plan: cannot write '" << s.html << "'\n";
  return !file.fail();
}

int run(settings const& s) {
  std::vector<verdict> verdicts;
  verdicts.reserve(s.strategies.size());
  for (auto const& one : s.strategies) {
    verdicts.push_back(plan(one.text, s.of, s.layers));
    verdicts.back().name = one.name;
  }
  if (s.json) {
    print_json(verdicts, s, std::cout);
  } else {
    print_text(verdicts, s, std::cout);
  }
  if (!s.html.empty() && !write_page(verdicts, s)) return exit_code::not_written;
  bool const fails =
      std::any_of(verdicts.begin(), verdicts.end(), [](verdict const& one) { return one.seeds_that_hold_down != 0; });
  return s.fail_if_metastable && fails ? exit_code::holds_down : exit_code::planned;
}

}  // namespace

}  // namespace anew_plan

int main(int argc, char** argv) {
  anew_get::open_standard_streams();
  int code = anew_plan::exit_code::bad_usage;
  try {
    auto const parsed = anew_plan::parse_options({argv + 1, argv + argc}, std::cout, std::cerr);
    auto const* const done = std::get_if<int>(&parsed);
    code = done != nullptr ? *done : anew_plan::run(std::get<anew_plan::settings>(parsed));
  } catch (std::bad_alloc const&) {
    std::cerr << "anew-plan: there is not enough memory for this plan; plan for fewer --clients\n";
    code = anew_plan::exit_code::no_memory;
  } catch (std::exception const& e) {
    std::cerr << "anew-plan: " << e.what() << '\n';
  }
  return anew_get::checked(code, "anew-plan");
}
