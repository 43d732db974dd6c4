// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Window of a budget out of range
// The window is the time for which a call counts. A shorter window sees too few calls; with a longer one, old
// successes pay for an outage.
// expect-error: anew::retry_budget<Percent, PerSecond, Window> requires 1s <= Window <= 60s
#include <chrono>

#include "anew/anew.hpp"
#include "anew/quota/retry_budget.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using budget = anew::retry_budget<20, 10, 100ms>;
#else  // right
using budget = anew::retry_budget<20, 10, 10s>;
#endif
// [/fix]

int main() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
