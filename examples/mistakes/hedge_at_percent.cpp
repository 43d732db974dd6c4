// SPDX-License-Identifier: BSL-1.0
// section: Hedging / A quantile of more than one
// Write the 95th percentile as `95, 100` and the 99.9th as `999, 1000`.
// expect-error: anew::hedge_at_quantile<Num, Den> requires 0 < Num < Den <= 1000
#include <chrono>

#include "anew/anew.hpp"
#include "anew/hedge.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using when_late = anew::hedge_at_quantile<95, 10>;
#else  // right
using when_late = anew::hedge_at_quantile<95, 100>;
#endif
// [/fix]

int main() {
  when_late const when{};
  anew::strategy<> const strategy{};
  anew::hedge_machine call{strategy, when, anew::idempotent_call};
  return call.begin().start == 1 ? 0 : 1;
}
