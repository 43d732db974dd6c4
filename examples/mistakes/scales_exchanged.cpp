// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / Swapped factors of a jitter
// The lower factor comes first. Give both as `std::ratio`, or both as `fraction` when they are known at run time.
// expect-error: anew::scaled_jitter<Low, High> requires Low <= High
#include <ratio>

#include "anew/anew.hpp"
#include "anew/jitter/scaled.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using spread = anew::scaled_jitter<std::ratio<13, 10>, std::ratio<4, 5>>;
#else  // right
using spread = anew::scaled_jitter<std::ratio<4, 5>, std::ratio<13, 10>>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<spread>{}, [] {});
}
