// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_FLEET_SCENARIO_FILE_HPP
#define ANEW_FLEET_SCENARIO_FILE_HPP

#include <string>
#include <string_view>
#include <vector>

#include "document.hpp"
#include "world.hpp"

namespace anew_fleet {

/// The content of a scenario file; docs/how_to/simulate_a_fleet.md has its fields.
struct scenario_file {
  std::string path;
  std::string title;
  std::string strategy;             // the clients'; those of the layers are in `of`
  std::vector<std::string> phases;  // their names
  fleet_simulation::world of;
};

/// Throws `file_error`.
[[nodiscard]] scenario_file read_scenario(std::string const& path);
[[nodiscard]] scenario_file read_scenario(std::string const& path, std::string_view text);

}  // namespace anew_fleet

#endif
