// SPDX-License-Identifier: BSL-1.0
// A throttle that successes do not fill again ends all retries after the first outage.
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
