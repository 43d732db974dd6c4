// SPDX-License-Identifier: BSL-1.0
// section: Loops of your own / A call_engine of a temporary
// An engine refers to its strategy until the call ends, but a temporary is destroyed at the end of its line. Declare
// the strategy first.
// expect-error: anew: it refers to a strategy that you keep
#include "anew/anew.hpp"
#include "anew/drive/call_engine.hpp"

int main() {
  auto const ask = [] { return true; };
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::call_engine call{anew::strategy<anew::retry_all>{}, ask};
#else  // right
  anew::strategy<anew::retry_all> const strategy{};
  anew::call_engine call{strategy, ask};
#endif
  // [/fix]
  return call.begin() == anew::next_step::attempt ? 0 : 1;
}
