// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / Longest pushback below zero
// `pushback_hint<>` permits a minute; `pushback_hint<0s>` only retries at once.
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
