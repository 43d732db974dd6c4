// SPDX-License-Identifier: BSL-1.0
// false says that it failed, and not why: the default classifier can make nothing of that.
// expect-error: requires an error that says whether to retry
// expect-error: anew::retry_all
#include "anew/anew.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using polite = anew::strategy<anew::max_attempts<5>>;
#else  // right
using polite = anew::strategy<anew::max_attempts<5>, anew::retry_all>;
#endif
// [/fix]

int main() {
  return anew::retry(polite{}, [] { return true; }) ? 0 : 1;
}
