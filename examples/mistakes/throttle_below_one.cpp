// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Multiple of the accepted requests below one
// A server that accepts everything would be sent less and less.
// expect-error: anew::client_throttle<K> requires 1 <= K <= 1000
#include "anew/anew.hpp"
#include "anew/gate/client_throttle.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using gate = anew::client_throttle<anew::rational{1, 2}>;
#else  // right
using gate = anew::client_throttle<anew::rational{2}>;
#endif
// [/fix]

int main() {
  anew::strategy<gate> const strategy{};
  anew::retry(strategy, [] {});
}
