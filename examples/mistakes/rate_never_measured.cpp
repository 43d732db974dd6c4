// SPDX-License-Identifier: BSL-1.0
// A measured rate that never learns anything.
// expect-error: anew::client_rate_limiter<Then, Constants> requires 0 < smooth <= 1
#include "anew/anew.hpp"
#include "anew/pacer/client_rate_limiter.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
constexpr anew::rate_limiter_constants numbers{.smooth = 0};
#else  // right
constexpr anew::rate_limiter_constants numbers{.smooth = 0.5};
#endif
// [/fix]

int main() {
  anew::strategy<anew::client_rate_limiter<anew::when_limited::wait, numbers>> const strategy{};
  anew::retry(strategy, [] {});
}
