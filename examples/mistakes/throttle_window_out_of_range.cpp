// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Window of a throttle out of range
// A shorter window sees too few requests to estimate from; with a longer one the throttle notices too late that the server
// recovered.
// expect-error: anew::client_throttle<K, Window> requires 1s <= Window <= 1h
#include <chrono>

#include "anew/anew.hpp"
#include "anew/gate/client_throttle.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using gate = anew::client_throttle<anew::rational{2}, 100ms>;
#else  // right
using gate = anew::client_throttle<anew::rational{2}, 10s>;
#endif
// [/fix]

int main() {
  anew::strategy<gate> const strategy{};
  anew::retry(strategy, [] {});
}
