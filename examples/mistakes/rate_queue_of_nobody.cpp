// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A queue without room
// `longest_queue` limits how many attempts wait, and `longest_wait` how many seconds each of them waits in all. An
// attempt beyond a limit is refused. To refuse every attempt that would have to wait, use `when_limited::fail_fast`.
// expect-error: anew::client_rate_limiter<Then, Constants> requires longest_queue >= 1 and longest_wait > 0
// expect-error: Use anew::when_limited::fail_fast
#include "anew/anew.hpp"
#include "anew/pacer/client_rate_limiter.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using limiter = anew::client_rate_limiter<anew::when_limited::wait, anew::rate_limiter_constants{.longest_queue = 0}>;
#else  // right
using limiter = anew::client_rate_limiter<anew::when_limited::fail_fast>;
#endif
// [/fix]

int main() {
  anew::strategy<limiter> const strategy{};
  anew::retry(strategy, [] {});
}
