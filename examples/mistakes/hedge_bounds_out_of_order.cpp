// SPDX-License-Identifier: BSL-1.0
// section: Hedging / Quantile bounds out of order
// The defaults are 100 ms at first, at least 1 ms, at most 10 s, and 64 samples.
// expect-error: requires 1us <= lower <= initial <= upper <= 24h and 1 <= samples <= 1000
#include <chrono>

#include "anew/anew.hpp"
#include "anew/hedge.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using when_late = anew::hedge_at_quantile<95, 100, 1, anew::quantile_bounds{.initial = 20s}>;
#else  // right
using when_late = anew::hedge_at_quantile<95, 100, 1, anew::quantile_bounds{.initial = 20s, .upper = 60s}>;
#endif
// [/fix]

int main() {
  when_late const when{};
  anew::strategy<> const strategy{};
  anew::hedge_machine call{strategy, when, anew::idempotent_call};
  return call.begin().start == 1 ? 0 : 1;
}
