// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A max_wait of zero
// Zero does not mean "no limit". Omit the policy to wait without a limit.
// expect-error: anew::max_wait<Total> requires Total > 0
#include <chrono>

#include "anew/anew.hpp"
#include "anew/deadline/max_wait.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using within = anew::max_wait<0s>;
#else  // right
using within = anew::max_wait<300s>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<within, anew::unbounded>{}, [] {});
}
