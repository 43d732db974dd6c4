// SPDX-License-Identifier: BSL-1.0
// section: Loops of your own / A machine of no strategy
// A machine drives what `retry()` drives: `anew::strategy<...>`, or a type of yours with the same three functions.
// `static_assert(anew::RetryStrategy<your_type>)` says which of them is missing.
// expect-error: anew::retry_machine{strategy} requires a RetryStrategy
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
