// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Floor of a budget out of range
// Use 0 for no floor: then a client with few calls makes few retries.
// expect-error: anew::retry_budget<Percent, PerSecond> requires 0 <= PerSecond <= 100000
#include "anew/anew.hpp"
#include "anew/quota/retry_budget.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using budget = anew::retry_budget<20, -1>;
#else  // right
using budget = anew::retry_budget<20, 0>;
#endif
// [/fix]

int main() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
