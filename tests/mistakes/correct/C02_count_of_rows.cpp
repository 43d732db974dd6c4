// SPDX-License-Identifier: BSL-1.0
// prints: 7 rows after 3 calls
#include "given.hpp"

int update() {
  fail_twice();
  return 7;
}
int main() {
  std::printf("%d rows", anew::retry(usual{}, update, no_sleep));
  print_calls();
}
