// SPDX-License-Identifier: BSL-1.0
// prints: 2 to 5 after 3 calls
#include "given.hpp"

namespace pair_of_bounds {

std::pair<int, int> bounds() {
  fail_twice();
  return {2, 5};
}
void run() {
  auto const [low, high] = anew::retry(usual{}, bounds, no_sleep);
  std::printf("%d to %d", low, high);
  print_calls();
}

}  // namespace pair_of_bounds

int main() {
  pair_of_bounds::run();
  return 0;
}
