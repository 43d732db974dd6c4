// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_FUZZ_LAW_HPP
#define ANEW_TESTS_FUZZ_LAW_HPP

#include <cstdio>
#include <cstdlib>

namespace fuzz {

/// Ends the program, and with it the search, where a law does not hold.
inline void require(bool holds, char const* law) {
  if (holds) return;
  std::fprintf(stderr, "law broken: %s\n", law);
  std::abort();
}

}  // namespace fuzz

#endif
