// SPDX-License-Identifier: BSL-1.0
// section: Hedging / Not a hedging
// [hedging.hpp](/include/anew/hedge/hedging.hpp) lists the functions of a Hedging.
// expect-error: anew::hedge_machine{strategy, hedging, anew::idempotent_call} requires a Hedging as its second
#include <chrono>

#include "anew/anew.hpp"
#include "anew/hedge.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
constexpr auto when = 10ms;
#else  // right
constexpr anew::hedge_after<10ms> when;
#endif
// [/fix]

int main() {
  anew::strategy<> const strategy{};
  anew::hedge_machine call{strategy, when, anew::idempotent_call};
  return call.begin().start == 1 ? 0 : 1;
}
