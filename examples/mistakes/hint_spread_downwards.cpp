// SPDX-License-Identifier: BSL-1.0
// Who comes earlier than he was asked to is refused again.
// expect-error: anew::jittered_hint<Fraction> requires Fraction > 0
#include <ratio>

#include "anew/anew.hpp"
#include "anew/hint/jittered.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using hints = anew::jittered_hint<anew::rational{0}>;
#else  // right
using hints = anew::jittered_hint<anew::rational{1, 2}>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<hints>{}, [] {});
}
