// SPDX-License-Identifier: BSL-1.0
// section: Composing a strategy / Two policies of one role
// `with<>` replaces one policy by another; here two policies claim the same role.
// expect-error: requires at most one policy of a role
#include "anew/anew.hpp"

using polite = anew::strategy<anew::equal_jitter, anew::max_attempts<3>>;

// [fix]
#ifdef ANEW_REJECT  // wrong
using patient = anew::with<polite, anew::max_attempts<8>, anew::unbounded>;
#else  // right
using patient = anew::with<polite, anew::max_attempts<8>>;
#endif
// [/fix]

int main() {
  anew::retry(patient{}, [] {});
}
