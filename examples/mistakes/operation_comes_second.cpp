// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / Not a strategy
// The strategy is the first argument.
// expect-error: anew::retry(strategy, operation) requires a RetryStrategy; the first argument has no nested 'token_type'
#include "anew/anew.hpp"

int main() {
  auto const fetch = [] { return 200U; };
// [fix]
#ifdef ANEW_REJECT  // wrong
  unsigned const status = anew::retry(fetch, anew::strategy<>{});
#else  // right
  unsigned const status = anew::retry(anew::strategy<>{}, fetch);
#endif
  // [/fix]
  return status == 200U ? 0 : 1;
}
