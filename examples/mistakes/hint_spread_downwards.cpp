// SPDX-License-Identifier: BSL-1.0
// section: Numbers / A hint that is spread downwards
// Who comes back earlier than the server asked is refused again. The wait is spread between what was asked and `1 +
// Fraction` times that.
// expect-error: anew::jittered_hint<Fraction> requires Fraction > 0
#include <ratio>

#include "anew/anew.hpp"
#include "anew/hint/jittered.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using hints = anew::jittered_hint<std::ratio<-1, 2>>;
#else  // right
using hints = anew::jittered_hint<std::ratio<1, 2>>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<hints>{}, [] {});
}
