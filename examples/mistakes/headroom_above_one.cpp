// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / Headroom out of range
// Fraction is a fraction of the cap: `rational{1, 5}` permits 20 percent above it.
// expect-error: anew::headroom_backoff<B, Fraction> requires 0 <= Fraction <= 1
#include <chrono>

#include "anew/anew.hpp"
#include "anew/backoff/headroom.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using roomy = anew::headroom_backoff<anew::exponential_backoff<100ms, 1s>, anew::rational{20}>;
#else  // right
using roomy = anew::headroom_backoff<anew::exponential_backoff<100ms, 1s>, anew::rational{1, 5}>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<roomy>{}, [] {});
}
