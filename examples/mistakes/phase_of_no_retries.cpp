// SPDX-License-Identifier: BSL-1.0
// section: Numbers / A phase of no retries
// A phase counts retries, not attempts.
// expect-error: anew::for_first<N, B> requires 1 <= N <= 4294967295
#include <chrono>

#include "anew/anew.hpp"
#include "anew/backoff/phased.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using hurried = anew::strategy<anew::phased_backoff<anew::for_first<0, anew::no_backoff>, anew::exponential_backoff<>>>;
#else  // right
using hurried = anew::strategy<anew::phased_backoff<anew::for_first<1, anew::no_backoff>, anew::exponential_backoff<>>>;
#endif
// [/fix]

int main() {
  anew::retry(hurried{}, [] {});
}
