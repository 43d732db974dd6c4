// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Concurrency budget beyond all calls
// At 100 every call in flight may retry.
// expect-error: anew::concurrency_budget<Percent> requires 0 <= Percent <= 100
#include "anew/anew.hpp"
#include "anew/quota/concurrency_budget.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using budget = anew::concurrency_budget<200>;
#else  // right
using budget = anew::concurrency_budget<20>;
#endif
// [/fix]

int main() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
