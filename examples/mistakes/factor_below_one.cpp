// SPDX-License-Identifier: BSL-1.0
// A backoff that comes closer with each failure.
// expect-error: anew::exponential_backoff<Base, Cap, Factor> requires Factor >= 1
#include <chrono>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using polite = anew::strategy<anew::exponential_backoff<100ms, 20s, anew::rational{2, 3}>>;
#else  // right
using polite = anew::strategy<anew::exponential_backoff<100ms, 20s, anew::rational{3, 2}>>;
#endif
// [/fix]

int main() {
  anew::retry(polite{}, [] {});
}
