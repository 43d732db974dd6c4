// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A temporary strategy with shared state
// A breaker in a temporary never opens: each call has a new one.
// expect-error: anew::poll(strategy, operation, acceptors) requires a strategy that outlives the call
#include "anew/anew.hpp"
#include "anew/policies.hpp"
#include "anew/poll.hpp"

using guarded = anew::strategy<anew::circuit_breaker<>, anew::max_attempts<3>>;

int main() {
  auto const job_state = [] { return 1; };
  auto const accept = anew::success_when([](int state) { return state == 1; });
// [fix]
#ifdef ANEW_REJECT  // wrong
  auto const told = anew::poll(guarded{}, job_state, accept);
#else  // right
  static guarded const strategy;
  auto const told = anew::poll(strategy, job_state, accept);
#endif
  // [/fix]
  return told.reason() == anew::stop_reason::succeeded ? 0 : 1;
}
