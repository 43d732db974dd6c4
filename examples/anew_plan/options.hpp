// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PLAN_OPTIONS_HPP
#define ANEW_PLAN_OPTIONS_HPP

#include <cstdint>
#include <iosfwd>
#include <string>
#include <variant>
#include <vector>

#include "scenario.hpp"

namespace anew_plan {

namespace exit_code {
inline constexpr int planned = 0;
inline constexpr int holds_down = 1;   // with --fail-if-metastable
inline constexpr int not_written = 1;  // the output, or the page
inline constexpr int no_memory = 1;
inline constexpr int bad_usage = 2;
}  // namespace exit_code

struct chosen_strategy {
  std::string name;  // of a preset; empty for a text
  std::string text;
};

struct settings {
  std::vector<chosen_strategy> strategies;
  bool compares = false;  // JSON has an array, even of one
  scenario of;
  std::uint32_t layers = 1;  // services in a row that retry alike
  bool json = false;
  std::string html;  // the page's file; empty: none
  bool fail_if_metastable = false;
};

/// The settings, or the exit code of a program that is done: after --help and --version, after a line to `errors` that
/// names the option and the value that were wrong.
[[nodiscard]] std::variant<settings, int> parse_options(std::vector<std::string> const& arguments, std::ostream& output,
                                                        std::ostream& errors);

}  // namespace anew_plan

#endif
