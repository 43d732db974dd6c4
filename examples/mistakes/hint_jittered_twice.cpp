// SPDX-License-Identifier: BSL-1.0
// The policy inside says what is permitted, and must say the same each time.
// expect-error: anew::jittered_hint<Fraction, Inner> requires a Hint policy inside that draws nothing itself

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
