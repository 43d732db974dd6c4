// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Retries that cost nothing
// A kind of error may cost nothing: retries after it are not limited. To limit nothing at all, use
// `anew::unlimited_quota`.
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
