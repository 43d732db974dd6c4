// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Factor below one
// The factor is a `rational`: 1.5 is `rational{3, 2}`, numerator first.
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
