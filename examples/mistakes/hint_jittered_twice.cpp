// SPDX-License-Identifier: BSL-1.0
// section: Numbers / A hint that is jittered twice
// The inner policy must answer the same each time it is asked. To spread more, use a larger fraction.
// expect-error: anew::jittered_hint<Fraction, Inner> requires an inner Hint policy without jitter of its own

#include "anew/anew.hpp"
#include "anew/hint/jittered.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using hints = anew::jittered_hint<anew::rational{1, 2}, anew::jittered_hint<>>;
#else  // right
using hints = anew::jittered_hint<anew::rational{1, 2}, anew::server_hint<>>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<hints>{}, [] {});
}
