// SPDX-License-Identifier: BSL-1.0
// section: Saved states / A snapshot of what counts nothing
// Quotas, gates and pacers count for all calls; a backoff, a limit or a classifier does not.
// expect-error: require a strategy, a quota, a gate or a pacer
#include "anew/anew.hpp"
#include "anew/compose/snapshot.hpp"

int main() {
  anew::strategy<anew::token_bucket<>> const strategy{};
// [fix]
#ifdef ANEW_REJECT  // wrong
  auto const state = anew::snapshot(strategy.backoff(), anew::time_point{});
#else  // right
  auto const state = anew::snapshot(strategy.quota(), anew::time_point{});
#endif
  // [/fix]
  return state.parts().size() == 1 ? 0 : 1;
}
