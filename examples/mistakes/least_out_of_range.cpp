// SPDX-License-Identifier: BSL-1.0
// The least number of retries is a number.
// expect-error: anew::concurrency_budget<Percent, Least> requires 0 <= Least <= 4294967295
#include "anew/anew.hpp"
#include "anew/quota/concurrency_budget.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using budget = anew::concurrency_budget<20, -1>;
#else  // right
using budget = anew::concurrency_budget<20, 0>;
#endif
// [/fix]

int main() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
