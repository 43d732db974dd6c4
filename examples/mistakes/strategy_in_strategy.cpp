// SPDX-License-Identifier: BSL-1.0
// section: Composing a strategy / A strategy as a policy
// `with<>` keeps the policies of a strategy and replaces those that you name.
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
