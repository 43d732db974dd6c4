// SPDX-License-Identifier: BSL-1.0
// section: Numbers / No backoff for the other kinds
// The last argument is a plain backoff: the default for all kinds without a rule.
// expect-error: anew::per_kind_backoff<for_kind<Kind, Backoff>..., Default> requires a Backoff in every rule, and a
#include <chrono>

#include "anew/anew.hpp"
#include "anew/backoff/per_kind.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using waits = anew::per_kind_backoff<anew::for_kind<anew::error_kind::throttling, anew::constant_backoff<5s>>>;
#else  // right
using waits = anew::per_kind_backoff<anew::for_kind<anew::error_kind::throttling, anew::constant_backoff<5s>>,
                                     anew::constant_backoff<1s>>;
#endif
// [/fix]

int main() {
  anew::strategy<waits> const strategy{};
  anew::retry(strategy, [] {});
}
