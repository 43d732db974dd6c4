// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A sleeper that cannot be called
// `anew::duration` is nanoseconds and does not convert implicitly to a coarser unit. Take `anew::duration` and
// convert inside, where the rounding shows.
// expect-error: requires a sleeper that is callable as sleeper(anew::duration)
#include <chrono>
#include <thread>

#include "anew/anew.hpp"

int main() {
// [fix]
#ifdef ANEW_REJECT  // wrong
  auto const sleeper = [](std::chrono::milliseconds delay) { std::this_thread::sleep_for(delay); };
#else  // right
  auto const sleeper = [](anew::duration delay) { std::this_thread::sleep_for(delay); };
#endif
  // [/fix]
  anew::retry(anew::strategy<>{}, [] {}, sleeper);
}
