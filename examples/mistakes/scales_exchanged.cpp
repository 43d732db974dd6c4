// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / Swapped factors of a jitter
// The lower factor comes first. Give both as `rational`.
// expect-error: anew::scaled_jitter<Low, High> requires Low <= High

#include "anew/anew.hpp"
#include "anew/jitter/scaled.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using spread = anew::scaled_jitter<anew::rational{13, 10}, anew::rational{4, 5}>;
#else  // right
using spread = anew::scaled_jitter<anew::rational{4, 5}, anew::rational{13, 10}>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<spread>{}, [] {});
}
