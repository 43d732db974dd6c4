// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Clamp without a reserve
// A delay that is clamped to the deadline leaves no time for the attempt after it. Name the time that a useful
// attempt takes, or use `at_deadline::last_try`.
// expect-error: anew::deadline<Total, at_deadline::clamp, Reserve> requires Reserve > 0
#include <chrono>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using within = anew::deadline<2s, anew::at_deadline::clamp>;
#else  // right
using within = anew::deadline<2s, anew::at_deadline::clamp, 200ms>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<within, anew::unbounded>{}, [] {});
}
