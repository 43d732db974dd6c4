// SPDX-License-Identifier: BSL-1.0
// Compiled as C++17.
// ours: anew requires C++20: compile with -std=c++20 or newer
// options: -std=c++17
#include "anew/anew.hpp"

int main() {
  return anew::retry(anew::strategy<>{}, [] { return 0; });
}
