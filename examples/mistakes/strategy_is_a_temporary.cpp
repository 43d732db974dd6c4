// SPDX-License-Identifier: BSL-1.0
// A bucket in a temporary is full for each call, and bounds nothing.
// expect-error: requires a strategy that outlives the call
// expect-error: token_bucket<500
#include "anew/anew.hpp"

using bucketed = anew::strategy<anew::token_bucket<500>, anew::retry_all>;

int main() {
// [fix]
#ifdef ANEW_REJECT  // wrong: a new bucket for each call
  anew::retry(bucketed{}, [] {});
#else  // right: one for all calls
  static bucketed const strategy;
  anew::retry(strategy, [] {});
#endif
  // [/fix]
}
