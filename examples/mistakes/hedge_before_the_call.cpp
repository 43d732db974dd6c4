// SPDX-License-Identifier: BSL-1.0
// section: Hedging / Hedge before the call
// No attempt is sent before the first one. To send both at once, use `anew::hedge_at_once<>`.
// expect-error: anew::hedge_after<Delay> requires Delay >= 0
#include <chrono>

#include "anew/anew.hpp"
#include "anew/hedge.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using when_late = anew::hedge_after<-1ms>;
#else  // right
using when_late = anew::hedge_at_once<>;
#endif
// [/fix]

int main() {
  when_late const when{};
  anew::strategy<> const strategy{};
  anew::hedge_machine call{strategy, when, anew::idempotent_call};
  return call.begin().start == 1 ? 0 : 1;
}
