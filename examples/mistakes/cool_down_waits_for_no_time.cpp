// SPDX-License-Identifier: BSL-1.0
// A cool-down whose attempts wait, but never for any time.
// expect-error: anew::cool_down<Backoff, Then, Ignored, LongestWait> requires LongestWait > 0
// expect-error: To refuse attempts instead of letting them wait, use anew::when_cooling::refuse
#include <chrono>

#include "anew/anew.hpp"
#include "anew/gate/cool_down.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using gate = anew::cool_down<anew::constant_backoff<1s>, anew::when_cooling::wait, 0, 0s>;
#else  // right
using gate = anew::cool_down<anew::constant_backoff<1s>, anew::when_cooling::refuse>;
#endif
// [/fix]

int main() {
  anew::strategy<gate> const strategy{};
  anew::retry(strategy, [] {});
}
