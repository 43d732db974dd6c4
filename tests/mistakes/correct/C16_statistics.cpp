// SPDX-License-Identifier: BSL-1.0
// prints: 5 well and 2 failed after 3 calls
#include "given.hpp"

struct statistics {
  unsigned long ok;
  unsigned long failed;
};
statistics load() { return fail_twice(), statistics{5, 2}; }
int main() {
  auto const s = anew::retry(usual{}, load, no_sleep);
  tell_all(s.ok, " well and ", s.failed, " failed");
}
