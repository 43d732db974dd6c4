// SPDX-License-Identifier: BSL-1.0
// prints: ready after 3 calls
#include "given.hpp"

enum class state { pending, ready };
state ask() { return ++calls < 3 ? state::pending : state::ready; }
int main() {
  auto const is_pending = [](state s) { return s == state::pending; };
  auto const strategy = anew::compose(anew::retry_while{is_pending}, anew::no_backoff{});
  bool const ready = anew::retry(strategy, ask, no_sleep) == state::ready;
  tell_all(ready ? "ready" : "pending");
}
