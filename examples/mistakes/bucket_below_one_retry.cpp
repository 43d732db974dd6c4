// SPDX-License-Identifier: BSL-1.0
// A capacity counts tokens, and a retry costs 14 of them: a bucket of ten never pays for one.
// expect-error: anew::token_bucket<Capacity> requires Capacity = 0 or at least the cost of one retry
#include "anew/anew.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using ten_retries = anew::strategy<anew::token_bucket<10>>;
#else  // right
using ten_retries = anew::strategy<anew::token_bucket<140>>;
#endif
// [/fix]

int main() {
  ten_retries const strategy{};
  return anew::retry(strategy, [] { return 0; });
}
