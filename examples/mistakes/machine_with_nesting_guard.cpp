// SPDX-License-Identifier: BSL-1.0
// section: Loops of your own / A machine with a nesting_guard
// The guard detects a nested call because the outer call waits for it on the thread's stack. A call by steps returns
// between two steps, so the guard would blame an unrelated call. Give the inner strategy one attempt, or share one
// quota between both: `anew::shared<anew::token_bucket<500>>`.
// expect-error: anew::call_engine and anew::retry_machine require a strategy without nesting_guard
#include "anew/anew.hpp"
#include "anew/drive/retry_machine.hpp"
#include "anew/nesting/nesting_guard.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using inner = anew::strategy<anew::retry_all, anew::nesting_guard<>>;
#else  // right
using inner = anew::strategy<anew::retry_all, anew::max_attempts<1>>;  // the outer call does the retrying
#endif
// [/fix]

int main() {
  inner const strategy{};
  anew::retry_machine call{strategy};
  return call.begin() == anew::next_step::attempt ? 0 : 1;
}
