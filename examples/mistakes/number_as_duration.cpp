// SPDX-License-Identifier: BSL-1.0
// section: Composing a strategy / A number as a duration
// A number does not say whether it counts milliseconds or seconds.
// expect-error: requires a duration with its unit as this template argument
#include "anew/anew.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using polite = anew::strategy<anew::exponential_backoff<100, 5000>, anew::retry_all>;
#else  // right
using polite = anew::strategy<anew::exponential_backoff<100ms, 5s>, anew::retry_all>;
#endif
// [/fix]

int main() {
  anew::retry(polite{}, [] {});
}
