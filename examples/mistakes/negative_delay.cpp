// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Negative delay
// To retry at once, use `anew::no_backoff`.
// expect-error: anew::constant_backoff<Delay> requires Delay >= 0
#include <chrono>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using at_once = anew::strategy<anew::constant_backoff<-1ms>>;
#else  // right
using at_once = anew::strategy<anew::no_backoff>;
#endif
// [/fix]

int main() {
  anew::retry(at_once{}, [] {});
}
