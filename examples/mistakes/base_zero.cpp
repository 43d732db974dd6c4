// SPDX-License-Identifier: BSL-1.0
// Nothing grows from zero, whatever the factor.
// expect-error: anew::exponential_backoff<Base, Cap> requires Base > 0
#include <chrono>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using at_once = anew::strategy<anew::exponential_backoff<0ms, 20s>>;
#else  // right
using at_once = anew::strategy<anew::no_backoff>;
#endif
// [/fix]

int main() {
  anew::retry(at_once{}, [] {});
}
