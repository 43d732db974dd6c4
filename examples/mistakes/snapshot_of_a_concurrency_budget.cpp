// SPDX-License-Identifier: BSL-1.0
// section: Saved states / A snapshot of what ends with the process
// A concurrency_budget counts calls under way and their retries. After a restart these are gone, so there is nothing to
// restore. A snapshot of a strategy omits it.
// expect-error: require a policy whose state outlives its process
#include "anew/anew.hpp"
#include "anew/compose/snapshot.hpp"
#include "anew/gate/circuit_breaker.hpp"
#include "anew/quota/concurrency_budget.hpp"

int main() {
  anew::strategy<anew::concurrency_budget<>, anew::circuit_breaker<>> const strategy{};
// [fix]
#ifdef ANEW_REJECT  // wrong
  auto const state = anew::snapshot(strategy.quota(), anew::time_point{});
#else  // right
  auto const state = anew::snapshot(strategy, anew::time_point{});
#endif
  // [/fix]
  return state.parts().size() == 1 ? 0 : 1;
}
