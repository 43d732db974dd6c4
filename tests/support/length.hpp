// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_LENGTH_HPP
#define ANEW_TESTS_SUPPORT_LENGTH_HPP

#include <cstdlib>
#include <string_view>

#include "sanitized.hpp"

namespace support {

/// Whether tests of many operations make all of them: the suite `daily` does, by `ANEW_TEST_LENGTH=full`.
inline bool is_full_length() {
  static bool const is_full = [] {
    auto const* const length = std::getenv("ANEW_TEST_LENGTH");
    return length != nullptr && std::string_view{length} == "full";
  }();
  return is_full;
}

/// So many operations at full length, and a tenth of them in any other run. A sanitizer looks at how memory is used and
/// not at numbers, and is slow: a fiftieth.
template <class Count>
Count length_of(Count all) {
  if (is_full_length()) return all;
  return all / (watches_memory || watches_threads ? 50 : 10);
}

}  // namespace support

#endif
