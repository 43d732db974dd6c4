// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Base of zero
// Zero times any factor is zero. To retry at once, use `anew::no_backoff`.
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
