// SPDX-License-Identifier: BSL-1.0
// section: Loops of your own / A machine with a nesting_guard
// The guard knows of a call inside a call because one waits for the other on a thread's stack. A call by steps gives
// its thread back between two of them, so the guard would blame whoever comes next. Let the inner strategy make one
// attempt, or let both pay from one quota: `anew::shared<>`.
// expect-error: anew::retry_machine{strategy} requires a strategy without nesting_guard
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
