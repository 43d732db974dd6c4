// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Not a backoff inside
// `sum_backoff`, `floor_backoff` and the like combine backoffs. Compose a jitter as a policy of the strategy.
// expect-error: a backoff that wraps another requires an inner Backoff;
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
