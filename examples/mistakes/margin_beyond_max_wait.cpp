// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A margin beyond the wait
// The whole wait comes first, the margin at its end second.
// expect-error: anew::max_wait<Total, Margin> requires 0 <= Margin <= Total
#include <chrono>

#include "anew/anew.hpp"
#include "anew/deadline/max_wait.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using within = anew::max_wait<2s, 300s>;
#else  // right
using within = anew::max_wait<300s, 2s>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<within, anew::unbounded>{}, [] {});
}
