// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A first wait below zero
// To poll at once, omit `wait_first`.
// expect-error: anew::wait_first<Strategy, Delay> requires Delay >= 0
#include <chrono>

#include "anew/poll.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using waiter = anew::wait_first<anew::strategy<>, -100ms>;
#else  // right
using waiter = anew::wait_first<anew::strategy<>, 100ms>;
#endif
// [/fix]

int main() {
  auto const told =
      anew::poll(waiter{}, [] { return true; }, anew::success_when([](bool b) { return b; }), [](anew::duration) {});
  return told.succeeded() ? 0 : 1;
}
