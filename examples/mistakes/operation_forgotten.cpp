// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A call without an operation
// The strategy does not know what to call.
// expect-error: requires an operation after the strategy
#include "anew/anew.hpp"

void ask() {}

using patient = anew::strategy<anew::retry_all>;

int main() {
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::retry(patient{});
#else  // right
  anew::retry(patient{}, ask);
#endif
  // [/fix]
}
