// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_FLEET_OPTIONS_HPP
#define ANEW_FLEET_OPTIONS_HPP

#include <iosfwd>
#include <string>
#include <variant>
#include <vector>

namespace anew_fleet {

namespace exit_code {
inline constexpr int simulated = 0;
inline constexpr int no_memory = 1;
inline constexpr int bad_usage = 2;  // or a file that is wrong
}  // namespace exit_code

struct settings {
  std::vector<std::string> files;
  bool json = false;
  bool log = false;
  bool by_second = false;
  unsigned seeds = 1;
  unsigned jobs = 1;
};

/// The settings, or the exit code of a program that is done: after --help and --version, after a line to `errors` that
/// names the option and the value that were wrong.
[[nodiscard]] std::variant<settings, int> parse_options(std::vector<std::string> const& arguments, std::ostream& output,
                                                        std::ostream& errors);

}  // namespace anew_fleet

#endif
