// SPDX-License-Identifier: BSL-1.0
// prints: 4096 bytes after 3 calls
#include <cstddef>

#include "given.hpp"

std::size_t write() {
  fail_twice();
  return 4096;
}
int main() {
  std::printf("%zu bytes", anew::retry(usual{}, write, no_sleep));
  print_calls();
}
