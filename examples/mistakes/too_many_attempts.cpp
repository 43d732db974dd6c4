// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Attempts
// Attempts are counted in 32 bits.
// expect-error: anew::max_attempts<N> requires N <= 4294967295
#include "anew/anew.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using for_ever = anew::strategy<anew::max_attempts<10'000'000'000>>;
#else  // right
using for_ever = anew::strategy<anew::unbounded>;
#endif
// [/fix]

int main() {
  anew::retry(for_ever{}, [] {});
}
