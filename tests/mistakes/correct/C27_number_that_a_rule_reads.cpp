// SPDX-License-Identifier: BSL-1.0
// prints: 12 after 3 calls
#include "given.hpp"

namespace number_that_a_rule_reads {

int measure() { return 4 * ++calls; }
void run() {
  auto const too_small = [](int n) { return n < 10; };
  auto const strategy = anew::compose(anew::retry_while{too_small}, anew::no_backoff{});
  std::printf("%d", anew::retry(strategy, measure, no_sleep));
  print_calls();
}

}  // namespace number_that_a_rule_reads

int main() {
  number_that_a_rule_reads::run();
  return 0;
}
