// SPDX-License-Identifier: BSL-1.0
// section: Hedging / Hedging with a temporary
// The machine refers to both for the whole call. Keep a hedging that learns from call to call.
// expect-error: anew: it refers to a strategy and a hedging that you keep
#include <chrono>

#include "anew/anew.hpp"
#include "anew/hedge.hpp"

using namespace std::chrono_literals;

int main() {
  anew::strategy<> const client{};
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::hedge_machine call{client, anew::hedge_after<10ms>{}, anew::idempotent_call};
#else  // right
  anew::hedge_after<10ms> const when{};
  anew::hedge_machine call{client, when, anew::idempotent_call};
#endif
  // [/fix]
  return call.begin().start == 1 ? 0 : 1;
}
