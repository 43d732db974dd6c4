// SPDX-License-Identifier: BSL-1.0
// No server asks for less than nothing.
// expect-error: anew::pushback_hint<Longest> requires Longest >= 0
#include <chrono>

#include "anew/anew.hpp"
#include "anew/hint/pushback.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using obedient = anew::pushback_hint<-1s>;
#else  // right
using obedient = anew::pushback_hint<1s>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<obedient>{}, [] {});
}
