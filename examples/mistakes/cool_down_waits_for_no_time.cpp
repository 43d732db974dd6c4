// SPDX-License-Identifier: BSL-1.0
// section: Numbers / A cool-down without a wait
// The fourth argument bounds how long an attempt waits in all; an attempt that would wait longer is refused. To
// refuse every attempt while the destination cools down, use `when_cooling::refuse`. To let attempts wait without a
// bound, omit the argument.
// expect-error: anew::cool_down<Backoff, Then, Ignored, LongestWait> requires LongestWait > 0
// expect-error: Use anew::when_cooling::refuse
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
