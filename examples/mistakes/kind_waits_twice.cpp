// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Two backoffs for one kind
// One of the two rules would never be used. Remove it.
// expect-error: anew::per_kind_backoff<for_kind<Kind, Backoff>..., Default> requires each kind at most once
#include <chrono>

#include "anew/anew.hpp"
#include "anew/backoff/per_kind.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using busy = anew::for_kind<anew::error_kind::throttling, anew::constant_backoff<5s>>;
using waits = anew::per_kind_backoff<busy, busy, anew::constant_backoff<1s>>;
#else  // right
using busy = anew::for_kind<anew::error_kind::throttling, anew::constant_backoff<5s>>;
using waits = anew::per_kind_backoff<busy, anew::constant_backoff<1s>>;
#endif
// [/fix]

int main() {
  anew::strategy<waits> const strategy{};
  anew::retry(strategy, [] {});
}
