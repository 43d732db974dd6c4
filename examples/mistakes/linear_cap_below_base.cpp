// SPDX-License-Identifier: BSL-1.0
// section: Numbers / A linear base out of range
// Base comes first, cap second. A base of zero retries at once and grows by its step: `linear_backoff<0ms, 10s,
// 100ms>`.
// expect-error: anew::linear_backoff<Base, Cap, Step> requires 0 <= Base <= Cap
#include <chrono>

#include "anew/anew.hpp"
#include "anew/backoff/linear.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using patient = anew::strategy<anew::linear_backoff<10s, 100ms>>;
#else  // right
using patient = anew::strategy<anew::linear_backoff<100ms, 10s>>;
#endif
// [/fix]

int main() {
  anew::retry(patient{}, [] {});
}
