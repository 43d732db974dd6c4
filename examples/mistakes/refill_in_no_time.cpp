// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Refill in zero time
// `Per` is the time after which one token comes back: 100ms permits ten retries a second.
// expect-error: anew::refilling_bucket<Capacity, Per> requires Per > 0
#include <chrono>

#include "anew/anew.hpp"
#include "anew/quota/refilling_bucket.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using budget = anew::refilling_bucket<10, 0ms>;
#else  // right
using budget = anew::refilling_bucket<10, 100ms>;
#endif
// [/fix]

int main() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
