// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Parts of a token that are too small
// A bucket that refunds fractions counts in parts of a token, in 32 bits.
// expect-error: requires Capacity * den <= 4294967295
#include "anew/anew.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using budget = anew::token_bucket<500, anew::retry_costs{}, anew::refund::fraction(1, 1'000'000'000)>;
#else  // right
using budget = anew::token_bucket<500, anew::retry_costs{}, anew::refund::fraction(1, 1'000'000)>;
#endif
// [/fix]

int main() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
