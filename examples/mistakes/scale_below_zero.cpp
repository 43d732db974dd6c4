// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / Scaled jitter below zero
// Both arguments are factors of the delay: `rational{4, 5}` is 0.8. For plus or minus a percentage use
// `proportional_jitter`.
// expect-error: anew::rational requires a numerator and a denominator between 0 and 4294967295
#include <ratio>

#include "anew/anew.hpp"
#include "anew/jitter/scaled.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using spread = anew::scaled_jitter<std::ratio<-1, 5>{}, anew::rational{6, 5}>;
#else  // right
using spread = anew::scaled_jitter<anew::rational{4, 5}, anew::rational{6, 5}>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<spread>{}, [] {});
}
