// SPDX-License-Identifier: BSL-1.0
// Attempts are counted, not retries, and the first one is always made.
// expect-error: anew::max_attempts<N> requires N >= 1
#include "anew/anew.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using once = anew::strategy<anew::max_attempts<0>>;
#else  // right
using once = anew::strategy<anew::max_attempts<1>>;
#endif
// [/fix]

int main() {
  anew::retry(once{}, [] {});
}
