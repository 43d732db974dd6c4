// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / An operation that cannot be called
// A declared operation is called like any other: with its attempt by reference, or without arguments.
// expect-error: requires an operation that is callable as operation(anew::attempt&) or operation()
#include "anew/anew.hpp"

int main() {
// [fix]
#ifdef ANEW_REJECT  // wrong
  auto const fetch = [](anew::attempt self) { return self.number(); };
#else  // right
  auto const fetch = [](anew::attempt& self) { return self.number(); };
#endif
  // [/fix]
  unsigned const number = anew::retry(anew::strategy<>{}, anew::idempotent(fetch));
  return number == 1U ? 0 : 1;
}
