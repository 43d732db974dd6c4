// SPDX-License-Identifier: BSL-1.0
// section: Numbers / A hint that is spread downwards
// A client that returns earlier than the server asked is refused again. The wait is spread between the hint and `1 +
// Fraction` times the hint.
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
