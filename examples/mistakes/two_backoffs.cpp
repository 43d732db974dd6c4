// SPDX-License-Identifier: BSL-1.0
// section: Composing a strategy / Two policies of one role
// A role has one policy. Remove one of the two. To change one policy of an existing strategy, use `anew::with`.
// expect-error: anew::strategy<Policies...> requires at most one policy of a role
#include <chrono>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using polite = anew::strategy<anew::constant_backoff<1s>, anew::exponential_backoff<100ms, 20s>>;
#else  // right
using polite = anew::strategy<anew::exponential_backoff<100ms, 20s>>;
#endif
// [/fix]

int main() {
  anew::retry(polite{}, [] {});
}
