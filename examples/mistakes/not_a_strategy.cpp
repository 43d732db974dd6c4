// SPDX-License-Identifier: BSL-1.0
// One policy is not yet a strategy.
// expect-error: anew::retry(strategy, operation) requires a RetryStrategy
#include "anew/anew.hpp"

int main() {
// [fix]
#ifdef ANEW_REJECT  // wrong
  return anew::retry(anew::max_attempts<5>{}, [] { return 0; });
#else  // right
  return anew::retry(anew::strategy<anew::max_attempts<5>>{}, [] { return 0; });
#endif
  // [/fix]
}
