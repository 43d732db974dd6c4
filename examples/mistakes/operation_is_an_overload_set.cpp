// SPDX-License-Identifier: BSL-1.0
// Which of the two? A name of several functions is not a function.
// expect-error: this is the name of several functions. Say which by a lambda
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
