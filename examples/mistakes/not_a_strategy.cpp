// SPDX-License-Identifier: BSL-1.0
// One policy is not yet a strategy.
// expect-error: anew::retry(strategy, operation) requires a RetryStrategy
#include "anew/anew.hpp"

int main() {
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::retry(anew::max_attempts<5>{}, [] {});
#else  // right
  anew::retry(anew::strategy<anew::max_attempts<5>>{}, [] {});
#endif
  // [/fix]
}
