// SPDX-License-Identifier: BSL-1.0
// prints: calls=1 reason=quota
// Meant: a strategy that was moved away is not used any more.
#include "given.hpp"

using client = thrice<anew::retry_all, anew::token_bucket<500>>;

int main() {
  client mine{};
  client const other = std::move(mine);
  print(anew::retry_outcome(mine, fails, no_sleep));
  std::printf("balance %u\n", other.quota().balance());
}
