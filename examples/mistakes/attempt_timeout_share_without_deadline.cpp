// SPDX-License-Identifier: BSL-1.0
// section: Limits of attempts / A share without a deadline
// A share is relative to the time that remains until the call's deadline, so the strategy needs a deadline.
// `anew::attempt_timeout<Limit>` is a per-attempt timeout that needs no deadline. Your own policy declares that it
// needs a deadline with `static constexpr bool needs_deadline = true;`.
// expect-error: anew::strategy<Policies...> requires a deadline for an attempt timeout that is a share of it
// expect-error: Add anew::deadline<Total>
#include <chrono>

#include "anew/anew.hpp"
#include "anew/attempt_timeout/attempt_timeout_share.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using halves = anew::strategy<anew::attempt_timeout_share<anew::rational{1, 2}>, anew::unbounded>;
#else  // right
using halves = anew::strategy<anew::attempt_timeout_share<anew::rational{1, 2}>, anew::deadline<10s>, anew::unbounded>;
#endif
// [/fix]

int main() {
  anew::retry(halves{}, [](anew::attempt&) {});
}
