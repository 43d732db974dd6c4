// SPDX-License-Identifier: BSL-1.0
// Retries that cost nothing are not limited by any budget.
// expect-error: anew::token_bucket<Capacity, Costs> requires at least one cost above zero
#include "anew/anew.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using budget = anew::token_bucket<500, anew::retry_costs::all(0)>;
#else  // right
using budget = anew::token_bucket<500, anew::retry_costs{.throttling = 0}>;  // all but these are limited
#endif
// [/fix]

int main() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
