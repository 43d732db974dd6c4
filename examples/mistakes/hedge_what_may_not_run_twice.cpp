// SPDX-License-Identifier: BSL-1.0
// section: Hedging / Hedging an operation that is not idempotent
// A retry starts only after the previous attempt has ended; a hedge runs at the same time. A hedged payment may be
// made twice.
// expect-error: requires anew::idempotent_call
#include <chrono>

#include "anew/anew.hpp"
#include "anew/hedge.hpp"

using namespace std::chrono_literals;

int main() {
  anew::strategy<> const client{};
  anew::hedge_after<10ms> const when{};
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::hedge_machine call{client, when};
#else  // right
  anew::hedge_machine call{client, when, anew::idempotent_call};
#endif
  // [/fix]
  return call.begin().start == 1 ? 0 : 1;
}
