// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_LENGTH_HPP
#define ANEW_TESTS_SUPPORT_LENGTH_HPP

#include <cstdlib>
#include <string_view>

namespace support {

/// Whether tests of many operations make all of them: the suite `daily` does, by `ANEW_TEST_LENGTH=full`.
inline bool is_full_length() {
  static bool const is_full = [] {
    auto const* const length = std::getenv("ANEW_TEST_LENGTH");
    return length != nullptr && std::string_view{length} == "full";
  }();
  return is_full;
}

/// So many operations at full length, and a tenth of them in any other run.
template <class Count>
Count length_of(Count all) {
  return is_full_length() ? all : all / 10;
}

}  // namespace support

#endif
