// SPDX-License-Identifier: BSL-1.0
// section: Loops of your own / An operation that a call_engine cannot call
// Capture the operation's arguments by value: the engine may outlive this function.
// expect-error: anew::call_engine{strategy, operation} requires an operation that you can call
#include <string>

#include "anew/anew.hpp"
#include "anew/drive/call_engine.hpp"

bool send(std::string const& address) { return !address.empty(); }

int main() {
  anew::strategy<anew::retry_all> const strategy{};
  std::string const address = "example.org";
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::call_engine call{strategy, send};
#else  // right
  anew::call_engine call{strategy, [=] { return send(address); }};
#endif
  // [/fix]
  if (call.begin() != anew::next_step::attempt) return 1;
  return call.on_outcome(call.start()) == anew::next_step::finished ? 0 : 1;
}
