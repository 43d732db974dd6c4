// SPDX-License-Identifier: BSL-1.0
// The usual three attempts are over long before ten seconds are: which of the two is meant to end the call?
// expect-error: anew::strategy<Policies...> requires you to limit the attempts where you set a deadline
// expect-error: Add anew::unbounded
#include <chrono>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using within_ten_seconds = anew::strategy<anew::deadline<10s>>;
#else  // right
using within_ten_seconds = anew::strategy<anew::deadline<10s>, anew::unbounded>;
#endif
// [/fix]

int main() {
  anew::retry(within_ten_seconds{}, [] {});
}
