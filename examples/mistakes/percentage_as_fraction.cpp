// SPDX-License-Identifier: BSL-1.0
// section: Numbers / A fraction above one
// The fraction is added to and subtracted from the delay: `rational{1, 5}` is plus or minus 20 percent.
// expect-error: anew::proportional_jitter<Fraction> requires 0 <= Fraction <= 1
#include <chrono>

#include "anew/anew.hpp"
#include "anew/jitter/proportional.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using spread = anew::strategy<anew::proportional_jitter<anew::rational{20}>>;
#else  // right
using spread = anew::strategy<anew::proportional_jitter<anew::rational{20, 100}>>;
#endif
// [/fix]

int main() {
  anew::retry(spread{}, [] {});
}
