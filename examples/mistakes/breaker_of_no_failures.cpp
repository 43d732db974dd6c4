// SPDX-License-Identifier: BSL-1.0
// section: Numbers / A breaker that nothing opens or closes
// A breaker opens after a number of failures and closes after a number of successful probes. Both must be at least
// one. For no breaker, omit the policy.
// expect-error: anew::circuit_breaker<Failures, OpenFor, Probes> requires 1 <= Failures <= 4294967295
#include <chrono>

#include "anew/anew.hpp"
#include "anew/gate/circuit_breaker.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using gate = anew::circuit_breaker<0, 30s>;
#else  // right
using gate = anew::circuit_breaker<5, 30s>;
#endif
// [/fix]

int main() {
  anew::strategy<gate> const strategy{};
  anew::retry(strategy, [] {});
}
