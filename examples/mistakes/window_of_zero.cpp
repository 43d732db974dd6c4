// SPDX-License-Identifier: BSL-1.0
// section: Numbers / A window of zero
// The window is at least 250 ms, and `OpenFor` is above zero.
// expect-error: anew::rate_breaker<Percent, Window, MinVolume, OpenFor> requires Window >= 250ms and OpenFor > 0
#include <chrono>

#include "anew/anew.hpp"
#include "anew/gate/rate_breaker.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using gate = anew::rate_breaker<50, 0s>;
#else  // right
using gate = anew::rate_breaker<50, 10s>;
#endif
// [/fix]

int main() {
  anew::strategy<gate> const strategy{};
  anew::retry(strategy, [] {});
}
