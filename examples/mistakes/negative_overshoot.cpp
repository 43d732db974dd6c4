// SPDX-License-Identifier: BSL-1.0
// By how much a server's hint may lengthen the delay.
// expect-error: anew::clamped_hint<Overshoot> requires Overshoot >= 0
#include <chrono>

#include "anew/anew.hpp"
#include "anew/hint/clamped.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using hints = anew::clamped_hint<-5s>;
#else  // right
using hints = anew::clamped_hint<5s>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<hints>{}, [] {});
}
