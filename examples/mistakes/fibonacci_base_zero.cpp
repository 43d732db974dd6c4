// SPDX-License-Identifier: BSL-1.0
// section: Numbers / A Fibonacci base of zero
// Base comes first, cap second. Every delay is a sum of bases.
// expect-error: anew::fibonacci_backoff<Base, Cap> requires 0 < Base <= Cap
#include <chrono>

#include "anew/anew.hpp"
#include "anew/backoff/fibonacci.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using patient = anew::strategy<anew::fibonacci_backoff<0ms, 10s>>;
#else  // right
using patient = anew::strategy<anew::fibonacci_backoff<100ms, 10s>>;
#endif
// [/fix]

int main() {
  anew::retry(patient{}, [] {});
}
