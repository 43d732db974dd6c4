// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / No backoff for kinds that choose none
// The last argument is a plain backoff: the default for all kinds without a rule.
// expect-error: anew::by_kind_backoff<for_kind<Kind, Backoff>..., Default> requires a Backoff in every rule, and a
#include <chrono>

#include "anew/anew.hpp"
#include "anew/backoff/by_kind.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using waits = anew::by_kind_backoff<anew::for_kind<anew::error_kind::throttling, anew::exponential_backoff<1s, 20s>>>;
#else  // right
using waits = anew::by_kind_backoff<anew::for_kind<anew::error_kind::throttling, anew::exponential_backoff<1s, 20s>>,
                                    anew::exponential_backoff<50ms, 20s>>;
#endif
// [/fix]

int main() {
  anew::strategy<waits> const strategy{};
  anew::retry(strategy, [] {});
}
