// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A stop source in place of a token
// A `std::stop_source` knows whether a stop was requested, but callbacks cannot be registered with it, so the call
// would notice the stop only after its wait.
// expect-error: anew::retry(strategy, operation, stop) requires a stop token
// expect-error: Pass source.get_token()
#include <stop_token>

#include "anew/anew.hpp"

int main() {
  std::stop_source source;
// [fix]
#ifdef ANEW_REJECT  // wrong
  return anew::retry(anew::strategy<anew::retry_all>{}, [] { return true; }, source) ? 0 : 1;
#else  // right
  return anew::retry(anew::strategy<anew::retry_all>{}, [] { return true; }, source.get_token()) ? 0 : 1;
#endif
  // [/fix]
}
