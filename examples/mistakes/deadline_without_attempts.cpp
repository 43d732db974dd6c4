// SPDX-License-Identifier: BSL-1.0
// section: Composing a strategy / A deadline without a limit of attempts
// Without a limit a strategy makes three attempts, which a reader of `deadline<10s>` does not expect. State which of
// the two ends the call: `anew::unbounded` leaves it to the deadline, `anew::max_attempts<N>` keeps both.
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
