// SPDX-License-Identifier: BSL-1.0
// prints: 2 to 5 after 3 calls
#include "given.hpp"

std::pair<int, int> bounds() {
  fail_twice();
  return {2, 5};
}
int main() {
  auto const [low, high] = anew::retry(usual{}, bounds, no_sleep);
  std::printf("%d to %d", low, high);
  print_calls();
}
