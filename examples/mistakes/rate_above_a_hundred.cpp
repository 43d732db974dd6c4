// SPDX-License-Identifier: BSL-1.0
// A failure rate is a part of a hundred.
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
