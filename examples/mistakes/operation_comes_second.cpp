// SPDX-License-Identifier: BSL-1.0
// The strategy is the first argument.
// expect-error: anew::retry(strategy, operation) requires a RetryStrategy
#include "anew/anew.hpp"

int main() {
  auto const fetch = [] { return 0; };
// [fix]
#ifdef ANEW_REJECT  // wrong
  return anew::retry(fetch, anew::strategy<>{});
#else  // right
  return anew::retry(anew::strategy<>{}, fetch);
#endif
  // [/fix]
}
