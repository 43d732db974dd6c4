// SPDX-License-Identifier: BSL-1.0
// section: Numbers / A fraction without a denominator
// A fraction of a token has a denominator.
// expect-error: anew::refund::fraction(num, den) requires den > 0
#include "anew/anew.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using budget = anew::token_bucket<500, anew::retry_costs{}, anew::refund::fraction(1, 0)>;
#else  // right
using budget = anew::token_bucket<500, anew::retry_costs{}, anew::refund::fraction(1, 10)>;
#endif
// [/fix]

int main() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
