// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Negative longest hint
// Omit it, and a server may ask for a wait of up to 60 s.
// expect-error: anew::server_hint<Then, Longest> requires Longest >= 0
#include <chrono>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using hints = anew::server_hint<anew::long_hint::clamp, -5s>;
#else  // right
using hints = anew::server_hint<anew::long_hint::clamp, 5s>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<hints>{}, [] {});
}
