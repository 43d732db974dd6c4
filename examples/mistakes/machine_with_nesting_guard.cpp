// SPDX-License-Identifier: BSL-1.0
// A nesting_guard knows of calls inside calls by the thread's stack, and a call by steps does not stand on it.
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
