// SPDX-License-Identifier: BSL-1.0
// section: Numbers / A cool-down without a backoff
// The first argument is the backoff that computes the cool-down from the number of failures in a row.
// expect-error: anew::cool_down<Backoff> requires a Backoff
#include <chrono>

#include "anew/anew.hpp"
#include "anew/gate/cool_down.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using gate = anew::cool_down<anew::full_jitter>;
#else  // right
using gate = anew::cool_down<anew::exponential_backoff<1s, 60s>>;
#endif
// [/fix]

int main() {
  anew::strategy<gate> const strategy{};
  anew::retry(strategy, [] {});
}
