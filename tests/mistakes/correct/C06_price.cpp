// SPDX-License-Identifier: BSL-1.0
// prints: 19.5 after 3 calls
#include "given.hpp"

double quote() {
  fail_twice();
  return 19.5;
}
int main() {
  std::printf("%.1f", anew::retry(usual{}, quote, no_sleep));
  print_calls();
}
