// SPDX-License-Identifier: BSL-1.0
// section: Hedging / Hedging with a nesting guard
// A nesting guard detects nested calls on the thread's stack, and `reset_after` measures how long the single attempt
// ran. Hedged attempts run side by side.
// expect-error: requires a strategy without nesting_guard and reset_after
#include <chrono>

#include "anew/anew.hpp"
#include "anew/hedge.hpp"
#include "anew/nesting/nesting_guard.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using client = anew::strategy<anew::nesting_guard<>>;
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
