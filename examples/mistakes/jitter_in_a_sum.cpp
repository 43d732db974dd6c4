// SPDX-License-Identifier: BSL-1.0
// A jitter is composed beside the backoff, not inside it.
// expect-error: anew::sum_backoff, floor_backoff, immediate_first, for_first and phased_backoff require a Backoff policy inside
#include <chrono>

#include "anew/anew.hpp"
#include "anew/backoff/sum.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using spread = anew::strategy<anew::sum_backoff<anew::constant_backoff<1s>, anew::full_jitter>>;
#else  // right
using spread =
    anew::strategy<anew::sum_backoff<anew::constant_backoff<1s>, anew::exponential_backoff<>>, anew::full_jitter>;
#endif
// [/fix]

int main() {
  anew::retry(spread{}, [] {});
}
