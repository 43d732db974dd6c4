// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / An operation that cannot be called
// An attempt cannot be copied: take it by reference, in a declared operation as in any other.
// expect-error: anew::retry(strategy, operation) requires an operation that takes its attempt by reference
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
