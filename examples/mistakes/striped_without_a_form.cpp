// SPDX-License-Identifier: BSL-1.0
// section: Numbers / A policy that has no stripes
// `anew::striped<Policy>` counts the calls of many threads apart, which works for quotas whose counts can be added up
// later: [`token_bucket`](/include/anew/quota/token_bucket.hpp), [`retry_budget`](/include/anew/quota/retry_budget.hpp)
// and [`concurrency_budget`](/include/anew/quota/concurrency_budget.hpp); and for
// [`rate_breaker`](/include/anew/gate/rate_breaker.hpp) if you include `anew/gate/striped_rate_breaker.hpp`. Any other
// policy counts in one place.
// expect-error: anew::striped<Policy, Stripes> requires 1 <= Stripes <= 64 and a policy that can be counted in stripes
#include "anew/anew.hpp"
#include "anew/quota/retry_throttle.hpp"
#include "anew/quota/striped.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using throttled = anew::strategy<anew::striped<anew::retry_throttle<10, anew::rational{1, 10}>>>;
#else  // right
using throttled = anew::strategy<anew::striped<anew::token_bucket<500>>>;
#endif
// [/fix]

int main() {
  throttled const strategy{};
  anew::retry(strategy, [] {});
}
