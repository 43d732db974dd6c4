// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A kind that chooses two backoffs
// The kind of the last failure chooses the backoff, so one of the two rules would never be used. Remove it.
// expect-error: anew::by_kind_backoff<for_kind<Kind, Backoff>..., Default> requires each kind at most once
#include <chrono>

#include "anew/anew.hpp"
#include "anew/backoff/by_kind.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using busy = anew::for_kind<anew::error_kind::throttling, anew::exponential_backoff<1s, 20s>>;
using waits = anew::by_kind_backoff<busy, busy, anew::exponential_backoff<50ms, 20s>>;
#else  // right
using busy = anew::for_kind<anew::error_kind::throttling, anew::exponential_backoff<1s, 20s>>;
using waits = anew::by_kind_backoff<busy, anew::exponential_backoff<50ms, 20s>>;
#endif
// [/fix]

int main() {
  anew::strategy<waits> const strategy{};
  anew::retry(strategy, [] {});
}
