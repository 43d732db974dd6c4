// SPDX-License-Identifier: BSL-1.0
// section: Composing a strategy / with<> of something else
// `with` takes a strategy that `anew::strategy` or `anew::compose` made. A strategy class of your own has no policies
// to replace.
// expect-error: anew::with<Strategy, Policies...> requires a composed strategy as its first argument
#include "anew/anew.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using patient = anew::with<anew::equal_jitter, anew::max_attempts<8>>;
#else  // right
using patient = anew::with<anew::strategy<anew::equal_jitter>, anew::max_attempts<8>>;
#endif
// [/fix]

int main() {
  anew::retry(patient{}, [] {});
}
