// SPDX-License-Identifier: BSL-1.0
// A strategy is made of policies; what changes one makes another of it.
// expect-error: requires every argument to be a policy; you passed a strategy
// expect-error: Did you mean anew::with<Strategy, Policies...>
#include "anew/anew.hpp"

using polite = anew::strategy<anew::retry_all>;
// [fix]
#ifdef ANEW_REJECT  // wrong
using patient = anew::strategy<polite, anew::max_attempts<8>>;
#else  // right
using patient = anew::with<polite, anew::max_attempts<8>>;
#endif
// [/fix]

int main() {
  anew::retry(patient{}, [] {});
}
