// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A hint that shortens the delay
// `Overshoot` is by how much a hint may lengthen the computed delay; a hint never shortens it. With `0s` hints are
// ignored.
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
