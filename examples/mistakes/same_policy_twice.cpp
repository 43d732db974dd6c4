// SPDX-License-Identifier: BSL-1.0
// section: Composing a strategy / Two policies of one role
// Naming a policy twice is a mistake too, even if both are equal.
// expect-error: anew::strategy<Policies...> requires at most one policy of a role
#include "anew/anew.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using polite = anew::strategy<anew::max_attempts<5>, anew::equal_jitter, anew::max_attempts<5>>;
#else  // right
using polite = anew::strategy<anew::max_attempts<5>, anew::equal_jitter>;
#endif
// [/fix]

int main() {
  anew::retry(polite{}, [] {});
}
