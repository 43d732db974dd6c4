// SPDX-License-Identifier: BSL-1.0
// section: Numbers / An empty sequence
// Further retries repeat the last delay of the list, so there must be at least one. To retry at once, use
// `anew::no_backoff`.
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
