// SPDX-License-Identifier: BSL-1.0
// What stands after the first argument replaces a policy of it, and two strategies do not mix.
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
