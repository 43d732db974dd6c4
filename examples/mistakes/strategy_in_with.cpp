// SPDX-License-Identifier: BSL-1.0
// section: Composing a strategy / A second strategy in `with<>`
// A strategy has a policy for every role, if only a default, so a second strategy would replace all of the first.
// expect-error: anew::with<Strategy, Policies...> requires policies after its first argument
#include "anew/anew.hpp"

using polite = anew::strategy<anew::retry_all>;
using patient = anew::strategy<anew::max_attempts<8>>;
// [fix]
#ifdef ANEW_REJECT  // wrong
using both = anew::with<polite, patient>;
#else  // right
using both = anew::with<polite, anew::max_attempts<8>>;
#endif
// [/fix]

int main() {
  anew::retry(both{}, [] {});
}
