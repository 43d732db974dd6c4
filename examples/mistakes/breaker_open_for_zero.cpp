// SPDX-License-Identifier: BSL-1.0
// section: Numbers / A breaker that is never open
// `OpenFor` is the time for which an open breaker refuses attempts. For no breaker, omit the policy.
// expect-error: anew::circuit_breaker<Failures, OpenFor> requires OpenFor > 0
#include <chrono>

#include "anew/anew.hpp"
#include "anew/gate/circuit_breaker.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using gate = anew::circuit_breaker<5, 0s>;
#else  // right
using gate = anew::circuit_breaker<5, 30s>;
#endif
// [/fix]

int main() {
  anew::strategy<gate> const strategy{};
  anew::retry(strategy, [] {});
}
