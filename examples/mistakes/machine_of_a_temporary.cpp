// SPDX-License-Identifier: BSL-1.0
// section: Loops of your own / A machine of a temporary
// A machine refers to its strategy until the call ends, but a temporary is destroyed at the end of its line. Declare
// the strategy first; calls share it anyway, for its quota.
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
