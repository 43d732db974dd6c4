// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Throttle that successes do not refill
// `rational{1, 10}` is a ratio of 0.1: ten successes refill what one failure took.
// expect-error: anew::retry_throttle<MaxTokens, Ratio> requires a Ratio between 1/1000 and 1000
#include "anew/anew.hpp"
#include "anew/quota/retry_throttle.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using budget = anew::retry_throttle<10, anew::rational{0}>;
#else  // right
using budget = anew::retry_throttle<10, anew::rational{1, 10}>;
#endif
// [/fix]

int main() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
