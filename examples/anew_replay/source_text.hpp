// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_CONFORMANCE_REPLAY_SOURCE_TEXT_HPP
#define ANEW_TESTS_CONFORMANCE_REPLAY_SOURCE_TEXT_HPP

#include <string>
#include <string_view>

#include "read.hpp"

namespace replay {

/// A file as it was read, to say where in it something stands.
struct source_text {
  std::string path;
  std::string text;
  json root;

  /// `FILE:LINE` of the first word in single quotes of `message` that the part has as a key or a value, else of the part's
  /// beginning. `part` is an element of `root`.
  [[nodiscard]] std::string place_of(json const& part, std::string_view message) const;
};

}  // namespace replay

#endif
