// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Reserve as long as the call
// No attempt starts with less time left than the reserve, so no retry could be made.
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
