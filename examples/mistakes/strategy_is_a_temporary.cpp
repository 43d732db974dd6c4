// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A temporary strategy with shared state
// A token bucket that is made for one call is always full, and a circuit breaker that is made for one call never
// opens. The note names the policy. Declare the strategy once, next to the client that uses it, or hold the policy in
// [`anew::shared<Policy>`](/docs/how_to/share_a_quota.md). A strategy without its own quota, gate or pacer may be a
// temporary.
// expect-error: anew::retry(strategy, operation) requires a strategy that outlives the call
// expect-error: token_bucket<280
#include "anew/anew.hpp"

using bucketed = anew::strategy<anew::token_bucket<280>, anew::retry_all>;

int main() {
// [fix]
#ifdef ANEW_REJECT  // wrong: a new bucket for each call
  anew::retry(bucketed{}, [] {});
#else  // right: one for all calls
  static bucketed const strategy;
  anew::retry(strategy, [] {});
#endif
  // [/fix]
}
