// SPDX-License-Identifier: BSL-1.0
// options: -std=c++17

// section: Compiled as C++17
// expect-error: anew requires C++20: compile with -std=c++20 or newer
#include "anew/anew.hpp"

namespace cxx17 {
int run() {
  return anew::retry(anew::strategy<>{}, [] { return 0; });
}
}  // namespace cxx17
