// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A call without a strategy
// The same applies to `anew::retry<patient>(ask)`: the strategy is an argument, because it may hold state that calls
// share.
// expect-error: anew::retry(strategy, operation) requires a strategy object as its first argument
#include "anew/anew.hpp"

int ask() { return 42; }

using patient = anew::strategy<anew::retry_while<decltype([](int answer) { return answer < 0; })>>;

int main() {
// [fix]
#ifdef ANEW_REJECT  // wrong
  return anew::retry(ask) == 42 ? 0 : 1;
#else  // right
  return anew::retry(patient{}, ask) == 42 ? 0 : 1;
#endif
  // [/fix]
}
