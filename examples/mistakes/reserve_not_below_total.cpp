// SPDX-License-Identifier: BSL-1.0
// With all the time in reserve there is none left to wait.
// expect-error: anew::deadline<Total, Then, Reserve> requires 0 <= Reserve < Total
#include <chrono>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using within = anew::deadline<2s, anew::at_deadline::stop, 2s>;
#else  // right
using within = anew::deadline<2s, anew::at_deadline::stop, 200ms>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<within, anew::unbounded>{}, [] {});
}
