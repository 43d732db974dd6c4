// SPDX-License-Identifier: BSL-1.0
// section: Numbers / A step of zero
// The step defaults to the base. For equal delays use `constant_backoff`.
// expect-error: anew::linear_backoff<Base, Cap, Step> requires Step > 0
#include <chrono>

#include "anew/anew.hpp"
#include "anew/backoff/linear.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using steady = anew::strategy<anew::linear_backoff<100ms, 10s, 0ms>>;
#else  // right
using steady = anew::strategy<anew::constant_backoff<100ms>>;
#endif
// [/fix]

int main() {
  anew::retry(steady{}, [] {});
}
