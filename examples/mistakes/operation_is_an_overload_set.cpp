// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / The name of several functions
// C++ cannot deduce the type of an overloaded name. A lambda selects a function by its arguments.
// expect-error: you passed the name of several overloaded functions
#include "anew/anew.hpp"

void fetch() {}
void fetch(int /*id*/) {}

using patient = anew::strategy<anew::retry_all>;

int main() {
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::retry(patient{}, fetch);
#else  // right
  anew::retry(patient{}, [] { fetch(); });
#endif
  // [/fix]
}
