// SPDX-License-Identifier: BSL-1.0
// prints: -5 degrees after 3 calls
#include "given.hpp"

int measure() {
  fail_twice();
  return -5;
}
int main() {
  std::printf("%d degrees", anew::retry(usual{}, measure, no_sleep));
  print_calls();
}
