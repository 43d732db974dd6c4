// SPDX-License-Identifier: BSL-1.0
// section: Hedging / Hedging by something that is gone
// A hedging that learns must be kept from call to call anyhow.
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
