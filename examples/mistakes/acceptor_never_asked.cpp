// SPDX-License-Identifier: BSL-1.0
// An acceptor's predicate takes what the operation returns, or its error.
// expect-error: anew::poll(strategy, operation, acceptors) requires acceptors of what the operation returns or throws
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
