// SPDX-License-Identifier: BSL-1.0
// section: Numbers / A volume of zero
// Below a minimum volume a rate is meaningless. Use at least one attempt, and at least one probe.
// expect-error: anew::rate_breaker<Percent, Window, MinVolume, OpenFor, Probes> requires 1 <= MinVolume <= 32767
#include <chrono>

#include "anew/anew.hpp"
#include "anew/gate/rate_breaker.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using gate = anew::rate_breaker<50, 10s, 0>;
#else  // right
using gate = anew::rate_breaker<50, 10s, 20>;
#endif
// [/fix]

int main() {
  anew::strategy<gate> const strategy{};
  anew::retry(strategy, [] {});
}
