// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Cap below base
// The cap would cut the first delay already. The two are usually swapped.
// expect-error: anew::exponential_backoff<Base, Cap> requires Cap >= Base
#include <chrono>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using polite = anew::strategy<anew::exponential_backoff<20s, 100ms>>;
#else  // right
using polite = anew::strategy<anew::exponential_backoff<100ms, 20s>>;
#endif
// [/fix]

int main() {
  anew::retry(polite{}, [] {});
}
