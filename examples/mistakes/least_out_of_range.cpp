// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Least number of retries out of range
// Use 0 for no minimum: then a client with few calls in flight does not retry.
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
