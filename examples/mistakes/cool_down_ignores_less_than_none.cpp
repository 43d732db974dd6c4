// SPDX-License-Identifier: BSL-1.0
// section: Numbers / A cool-down that ignores too much
// The third argument is the number of failures in a row that cause no cool-down.
// expect-error: anew::cool_down<Backoff, Then, Ignored> requires 0 <= Ignored <= 1000
#include <chrono>

#include "anew/anew.hpp"
#include "anew/gate/cool_down.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using gate = anew::cool_down<anew::constant_backoff<1s>, anew::when_cooling::wait, -1>;
#else  // right
using gate = anew::cool_down<anew::constant_backoff<1s>, anew::when_cooling::wait, 0>;
#endif
// [/fix]

int main() {
  anew::strategy<gate> const strategy{};
  anew::retry(strategy, [] {});
}
