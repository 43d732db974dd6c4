// SPDX-License-Identifier: BSL-1.0
// No list says how long to wait when it is empty.
// expect-error: anew::sequence_backoff<Delays...> requires at least one delay
#include <chrono>

#include "anew/anew.hpp"
#include "anew/backoff/sequence.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using listed = anew::strategy<anew::sequence_backoff<>>;
#else  // right
using listed = anew::strategy<anew::sequence_backoff<10ms, 50ms, 1s>>;
#endif
// [/fix]

int main() {
  anew::retry(listed{}, [] {});
}
