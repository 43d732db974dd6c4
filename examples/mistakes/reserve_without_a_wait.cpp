// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Reserve without a wait
// With `when_empty::reserve` a retry waits until the tokens it borrowed have come back, at most `Longest`. With
// `when_empty::refuse` nothing is borrowed, so `Longest` has no meaning.
// expect-error: anew::refilling_bucket<Capacity, Per, Then, Longest> requires Longest > 0 with when_empty::reserve,
#include <chrono>

#include "anew/anew.hpp"
#include "anew/quota/refilling_bucket.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using budget = anew::refilling_bucket<10, 100ms, anew::when_empty::reserve>;
#else  // right
using budget = anew::refilling_bucket<10, 100ms, anew::when_empty::reserve, 1s>;
#endif
// [/fix]

int main() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
