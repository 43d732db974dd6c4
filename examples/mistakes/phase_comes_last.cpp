// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Phases without an end
// A call may make more retries than the phases have, so the last policy has no `for_first`. All policies before it
// have one, or the policies after them would never be used.
// expect-error: anew::phased_backoff<Phases...> requires anew::for_first<N, B> for every phase except the last,
#include <chrono>

#include "anew/anew.hpp"
#include "anew/backoff/phased.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using hurried = anew::strategy<anew::phased_backoff<anew::for_first<3, anew::constant_backoff<10ms>>>>;
#else  // right
using hurried =
    anew::strategy<anew::phased_backoff<anew::for_first<3, anew::constant_backoff<10ms>>, anew::exponential_backoff<>>>;
#endif
// [/fix]

int main() {
  anew::retry(hurried{}, [] {});
}
