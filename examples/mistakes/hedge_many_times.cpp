// SPDX-License-Identifier: BSL-1.0
// section: Hedging / Too many hedges
// A call has a fixed number of places for attempts, and allocates nothing. A second hedge removes little of the tail
// that the first one leaves.
// expect-error: anew::hedge_after<Delay, MaxExtra> requires 0 <= MaxExtra <= 7
#include <chrono>

#include "anew/anew.hpp"
#include "anew/hedge.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using when_late = anew::hedge_after<10ms, 20>;
#else  // right
using when_late = anew::hedge_after<10ms, 2>;
#endif
// [/fix]

int main() {
  when_late const when{};
  anew::strategy<> const strategy{};
  anew::hedge_machine call{strategy, when, anew::idempotent_call};
  return call.begin().start == 1 ? 0 : 1;
}
