// SPDX-License-Identifier: BSL-1.0
// section: Numbers / A bucket that pays for no retry
// Capacity counts tokens, and a retry after a transient error costs 14 of them by default. Multiply the number of
// retries that you want to permit in a row by that cost. To never retry, use `anew::token_bucket<0>` or
// `anew::never`.
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
  anew::retry(strategy, [] {});
}
