// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_LINES_HPP
#define ANEW_TESTS_SUPPORT_LINES_HPP

#include <string>
#include <string_view>
#include <vector>

#include "anew/policies/observer/severity.hpp"

/// Sinks that keep what an observer writes.
namespace support {

using lines = std::vector<std::string>;

struct to_lines {
  lines* to;
  void operator()(std::string_view line) const { to->emplace_back(line); }
};
struct to_lines_with_severity {
  lines* to;
  void operator()(anew::severity how_loud, std::string_view line) const {
    to->push_back(std::string{to_string(how_loud)}.append("|").append(line));
  }
};

}  // namespace support

#endif
