// SPDX-License-Identifier: BSL-1.0
// A backoff for throttling, and none for what else may fail.
// expect-error: as the last argument, a policy for all other kinds
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
