// SPDX-License-Identifier: BSL-1.0
// prints: 12 after 3 calls
#include "given.hpp"

int measure() { return 4 * ++calls; }
int main() {
  auto const too_small = [](int n) { return n < 10; };
  auto const strategy = anew::compose(anew::retry_while{too_small}, anew::no_backoff{});
  tell_all(anew::retry(strategy, measure, no_sleep));
}
