// SPDX-License-Identifier: BSL-1.0
// section: Hedging / Too many hedges at a quantile
// One hedge removes nearly all of the tail.
// expect-error: anew::hedge_at_quantile<Num, Den, MaxExtra> requires 0 <= MaxExtra <= 7
#include <chrono>

#include "anew/anew.hpp"
#include "anew/hedge.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using when_late = anew::hedge_at_quantile<95, 100, 8>;
#else  // right
using when_late = anew::hedge_at_quantile<95, 100, 1>;
#endif
// [/fix]

int main() {
  when_late const when{};
  anew::strategy<> const strategy{};
  anew::hedge_machine call{strategy, when, anew::idempotent_call};
  return call.begin().start == 1 ? 0 : 1;
}
