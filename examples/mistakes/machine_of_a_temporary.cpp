// SPDX-License-Identifier: BSL-1.0
// A machine refers to its strategy for as long as the call takes.
// expect-error: anew: it refers to a strategy that you keep
#include "anew/anew.hpp"
#include "anew/drive/retry_machine.hpp"

int main() {
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::retry_machine call{anew::strategy<anew::retry_all>{}};
#else  // right
  anew::strategy<anew::retry_all> const strategy{};
  anew::retry_machine call{strategy};
#endif
  // [/fix]
  return call.begin() == anew::next_step::attempt ? 0 : 1;
}
