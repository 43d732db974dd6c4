// SPDX-License-Identifier: BSL-1.0
// A half of what?
// expect-error: anew::strategy<Policies...> requires a deadline for an attempt timeout that is a share of it
// expect-error: Add anew::deadline<Total>
#include <chrono>

#include "anew/anew.hpp"
#include "anew/attempt_timeout/attempt_timeout_share.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using halves = anew::strategy<anew::attempt_timeout_share<anew::rational{1, 2}>, anew::unbounded>;
#else  // right
using halves = anew::strategy<anew::attempt_timeout_share<anew::rational{1, 2}>, anew::deadline<10s>, anew::unbounded>;
#endif
// [/fix]

int main() {
  anew::retry(halves{}, [](anew::attempt&) {});
}
