// SPDX-License-Identifier: BSL-1.0
// section: Loops of your own / A result by steps that the classifier does not read
// A failed result carries an error, and the classifier must read its type. A classifier of exceptions does not read
// error values.
// expect-error: call.on_outcome(result) requires a classifier that reads the result's error
#include "anew/anew.hpp"
#include "anew/drive/retry_machine.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using policy = anew::strategy<anew::max_attempts<5>>;
#else  // right
using policy = anew::strategy<anew::max_attempts<5>, anew::retry_all>;
#endif
// [/fix]

int main() {
  policy const strategy{};
  anew::retry_machine call{strategy};
  auto next = call.begin();
  next = call.on_outcome(true);
  return next == anew::next_step::finished ? 0 : 1;
}
