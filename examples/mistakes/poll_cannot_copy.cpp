// SPDX-License-Identifier: BSL-1.0
// A call of poll() has a copy of its strategy's policies.
// expect-error: anew::poll(strategy, operation, acceptors) requires policies that can be copied
#include <atomic>

#include "anew/poll.hpp"

std::atomic<unsigned> looks{0};

struct counting_observer {
  using role = anew::roles::observer;
// [fix]
#ifdef ANEW_REJECT  // wrong
  mutable std::atomic<unsigned> counted{0};
#else  // right
  std::atomic<unsigned>& counted = looks;
#endif
  // [/fix]
  void on_attempt(anew::attempt_event const&) const { ++counted; }
};

int main() {
  anew::strategy<counting_observer> const strategy;
  auto const told = anew::poll(strategy, [] { return true; }, anew::success_on_result(), [](anew::duration) {});
  return told.succeeded() ? 0 : 1;
}
