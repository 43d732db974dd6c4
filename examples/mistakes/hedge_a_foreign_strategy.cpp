// SPDX-License-Identifier: BSL-1.0
// section: Hedging / Hedging with a strategy of your own
// `refresh_retry_token` settles the previous attempt as failed, but a hedged attempt is still in flight. Use
// `retry_machine` for retries with such a strategy.
// expect-error: anew::hedge_machine{strategy, ...} requires an anew::strategy<...>
#include <chrono>

#include "anew/anew.hpp"
#include "anew/hedge.hpp"
#include "anew/testing/archetypes.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using client = anew::testing::least_strategy;
#else  // right
using client = anew::strategy<>;
#endif
// [/fix]

int main() {
  client const strategy{};
  anew::hedge_after<10ms> const when{};
  anew::hedge_machine call{strategy, when, anew::idempotent_call};
  return call.begin().start == 1 ? 0 : 1;
}
