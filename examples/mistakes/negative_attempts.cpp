// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Attempts
// -1 does not mean "for ever"; `anew::unbounded` does.
// expect-error: anew::max_attempts<N> requires N >= 1
#include "anew/anew.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using for_ever = anew::strategy<anew::max_attempts<-1>>;
#else  // right
using for_ever = anew::strategy<anew::unbounded>;
#endif
// [/fix]

int main() {
  anew::retry(for_ever{}, [] {});
}
