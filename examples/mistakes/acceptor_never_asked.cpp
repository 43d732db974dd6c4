// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / An acceptor that is never asked
// The predicate takes neither the operation's result (or the value in it) nor its error, so it would never be called.
// Correct its parameter, and make it callable as const. A predicate on exceptions names their type in its parameter;
// one with an `auto` parameter is only called with error values.
// expect-error: anew::poll(strategy, operation, acceptors) requires acceptors that take the operation's result or
#include <string>

#include "anew/poll.hpp"

int main() {
  auto const job_state = [] { return std::string{"DONE"}; };
  auto const no_sleep = [](anew::duration) {};
// [fix]
#ifdef ANEW_REJECT  // wrong
  auto const is_done = [](int state) { return state == 0; };
#else  // right
  auto const is_done = [](std::string const& state) { return state == "DONE"; };
#endif
  // [/fix]
  auto const told = anew::poll(anew::strategy<>{}, job_state, anew::success_when(is_done), no_sleep);
  return told.succeeded() ? 0 : 1;
}
