// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / Not a strategy
// The first argument is a strategy object. A policy alone is not a strategy.
// expect-error: anew::retry(strategy, operation) requires a RetryStrategy; the first argument has no nested 'token_type'
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
