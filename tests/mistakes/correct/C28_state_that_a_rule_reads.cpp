// SPDX-License-Identifier: BSL-1.0
// prints: ready after 3 calls
#include "given.hpp"

namespace state_that_a_rule_reads {

enum class state { pending, ready };
state ask() { return ++calls < 3 ? state::pending : state::ready; }
void run() {
  auto const is_pending = [](state s) { return s == state::pending; };
  auto const strategy = anew::compose(anew::retry_while{is_pending}, anew::no_backoff{});
  bool const ready = anew::retry(strategy, ask, no_sleep) == state::ready;
  std::printf("%s", ready ? "ready" : "pending");
  print_calls();
}

}  // namespace state_that_a_rule_reads

int main() {
  state_that_a_rule_reads::run();
  return 0;
}
