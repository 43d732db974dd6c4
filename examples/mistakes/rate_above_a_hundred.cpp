// SPDX-License-Identifier: BSL-1.0
// section: Numbers / A rate above a hundred percent
// The rate is in percent, between 1 and 100.
// expect-error: anew::rate_breaker<Percent, ...> requires 1 <= Percent <= 100
#include "anew/anew.hpp"
#include "anew/gate/rate_breaker.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using gate = anew::rate_breaker<500>;
#else  // right
using gate = anew::rate_breaker<50>;
#endif
// [/fix]

int main() {
  anew::strategy<gate> const strategy{};
  anew::retry(strategy, [] {});
}
