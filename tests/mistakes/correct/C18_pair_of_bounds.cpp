// SPDX-License-Identifier: BSL-1.0
// prints: 2 to 5 after 3 calls
#include "given.hpp"

std::pair<int, int> bounds() { return fail_twice(), std::pair<int, int>{2, 5}; }
int main() {
  auto const [low, high] = anew::retry(usual{}, bounds, no_sleep);
  tell_all(low, " to ", high);
}
