// SPDX-License-Identifier: BSL-1.0
// section: Loops of your own / A machine without a strategy
// A machine takes any strategy that `retry()` takes: `anew::strategy<...>`, or your own type with the same three
// functions. `static_assert(anew::RetryStrategy<your_type>)` names the missing function.
// expect-error: anew::call_engine and anew::retry_machine require a RetryStrategy
#include "anew/anew.hpp"
#include "anew/drive/retry_machine.hpp"

int main() {
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::max_attempts<5> const strategy{};
#else  // right
  anew::strategy<anew::max_attempts<5>> const strategy{};
#endif
  // [/fix]
  anew::retry_machine call{strategy};
  return call.begin() == anew::next_step::attempt ? 0 : 1;
}
