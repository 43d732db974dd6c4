// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / Acceptors without a success
// A result that no acceptor judges means "not ready". State which result you wait for; `success_on_result()` accepts
// any.
// expect-error: anew::poll(strategy, operation, acceptors) requires at least one acceptor that can report success
#include "anew/poll.hpp"

int main() {
  auto const job_state = [] { return 0; };
  auto const no_sleep = [](anew::duration) {};
  auto const is_failed = [](int state) { return state < 0; };
// [fix]
#ifdef ANEW_REJECT  // wrong
  auto const accept = anew::failure_when(is_failed);
#else  // right
  auto const accept =
      anew::acceptors{anew::failure_when(is_failed), anew::success_when([](int state) { return state == 0; })};
#endif
  // [/fix]
  auto const told = anew::poll(anew::strategy<>{}, job_state, accept, no_sleep);
  return told.succeeded() ? 0 : 1;
}
