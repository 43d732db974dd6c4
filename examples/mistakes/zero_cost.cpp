// SPDX-License-Identifier: BSL-1.0
// A retry that costs nothing is not limited by any budget.
// expect-error: anew::token_bucket<Capacity, Costs> requires every cost to be above zero
#include "anew/anew.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using budget = anew::token_bucket<500, anew::retry_costs{.throttling = 0}>;
#else  // right
using budget = anew::token_bucket<500, anew::retry_costs{.throttling = 1}>;
#endif
// [/fix]

int main() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
