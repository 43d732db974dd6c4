// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Budget of more than ten retries a call
// 20 allows one retry for five calls, 100 one for each.
// expect-error: anew::retry_budget<Percent> requires 0 <= Percent <= 1000
#include "anew/anew.hpp"
#include "anew/quota/retry_budget.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using budget = anew::retry_budget<2000>;
#else  // right
using budget = anew::retry_budget<20>;
#endif
// [/fix]

int main() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
