// SPDX-License-Identifier: BSL-1.0
// section: Numbers / A negative delay in a sequence
// The delays may go up and down, but not below zero. The types in the message have them in nanoseconds.
// expect-error: anew::sequence_backoff<Delays...> requires delays >= 0
#include <chrono>

#include "anew/anew.hpp"
#include "anew/backoff/sequence.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using listed = anew::strategy<anew::sequence_backoff<10ms, -50ms, 1s>>;
#else  // right
using listed = anew::strategy<anew::sequence_backoff<10ms, 50ms, 1s>>;
#endif
// [/fix]

int main() {
  anew::retry(listed{}, [] {});
}
