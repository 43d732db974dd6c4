// SPDX-License-Identifier: BSL-1.0
// section: Numbers / A negative floor
// The floor is the least delay before jitter. A negative floor has no effect.
// expect-error: anew::floor_backoff<B, Min> requires Min >= 0
#include <chrono>

#include "anew/anew.hpp"
#include "anew/backoff/floor.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using unhurried = anew::strategy<anew::floor_backoff<anew::exponential_backoff<>, -100ms>>;
#else  // right
using unhurried = anew::strategy<anew::floor_backoff<anew::exponential_backoff<>, 100ms>>;
#endif
// [/fix]

int main() {
  anew::retry(unhurried{}, [] {});
}
