// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Deadline of zero
// Zero does not mean "no deadline". Omit the policy.
// expect-error: anew::deadline<Total> requires Total > 0
#include <chrono>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using patient = anew::strategy<anew::deadline<0s>, anew::max_attempts<8>>;
#else  // right
using patient = anew::strategy<anew::max_attempts<8>>;
#endif
// [/fix]

int main() {
  anew::retry(patient{}, [] {});
}
