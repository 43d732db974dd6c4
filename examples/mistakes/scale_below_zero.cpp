// SPDX-License-Identifier: BSL-1.0
// A jitter whose window begins before the failure.
// expect-error: anew::scaled_jitter<Low, High> requires Low >= 0
#include <ratio>

#include "anew/anew.hpp"
#include "anew/jitter/scaled.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using spread = anew::scaled_jitter<std::ratio<-1, 5>, std::ratio<6, 5>>;
#else  // right
using spread = anew::scaled_jitter<std::ratio<4, 5>, std::ratio<6, 5>>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<spread>{}, [] {});
}
