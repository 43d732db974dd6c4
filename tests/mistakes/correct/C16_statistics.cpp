// SPDX-License-Identifier: BSL-1.0
// prints: 5 well and 2 failed after 3 calls
#include "given.hpp"

struct statistics {
  unsigned long ok;
  unsigned long failed;
};
statistics load() {
  fail_twice();
  return {5, 2};
}
int main() {
  auto const s = anew::retry(usual{}, load, no_sleep);
  std::printf("%lu well and %lu failed", s.ok, s.failed);
  print_calls();
}
