// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Sharing a policy without state
// Calls share the state of a quota or a gate. A backoff only has numbers: compose a copy of it in each strategy.
// expect-error: anew::shared<Policy> and anew::partitioned<Key, Policy> require a quota, a gate or a pacer
#include "anew/anew.hpp"
#include "anew/sharing/shared.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using budget = anew::shared<anew::exponential_backoff<>>;
#else  // right
using budget = anew::shared<anew::token_bucket<>>;
#endif
// [/fix]

int main() {
  anew::strategy<budget> const strategy{budget{}};
  anew::retry(strategy, [] {});
}
