// SPDX-License-Identifier: BSL-1.0
// prints: 5 calls, balance 0
#include "given.hpp"

int main() {
  thrice<anew::retry_all, anew::token_bucket<28>> const kept{};
  bool done = false;
  for (int i = 0; i != 3; ++i) done = anew::retry(kept, fails, no_sleep) || done;
  std::printf("%d calls, balance %u\n", calls, done ? 1 : kept.quota().balance());
}
