// SPDX-License-Identifier: BSL-1.0
// section: Loops of your own / An operation of a call_engine that takes its attempt by value
// An attempt cannot be copied: take it by reference. It lives in the engine until the next attempt starts.
// expect-error: anew::call_engine{strategy, operation} requires an operation that takes its attempt by reference
#include "anew/anew.hpp"
#include "anew/drive/call_engine.hpp"

int main() {
  anew::strategy<anew::retry_all> const strategy{};
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::call_engine call{strategy, [](anew::attempt self) { return self.number(); }};
#else  // right
  anew::call_engine call{strategy, [](anew::attempt& self) { return self.number(); }};
#endif
  // [/fix]
  return call.begin() == anew::next_step::attempt ? 0 : 1;
}
