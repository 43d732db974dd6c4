// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A result that is not there yet
// Acceptors read a finished result, and a future is not finished.
// expect-error: anew::poll(strategy, operation, acceptors) requires a result that is there
#include <future>

#include "anew/anew.hpp"
#include "anew/poll.hpp"

std::future<int> ask() {
  return std::async(std::launch::deferred, [] { return 1; });
}

int main() {
  auto const accept = anew::success_when([](auto const& state) { return state == 1; });
// [fix]
#ifdef ANEW_REJECT  // wrong
  auto const told = anew::poll(anew::strategy<>{}, ask, accept);
#else  // right
  auto const told = anew::poll(anew::strategy<>{}, [] { return ask().get(); }, accept);
#endif
  // [/fix]
  return told.reason() == anew::stop_reason::succeeded ? 0 : 1;
}
