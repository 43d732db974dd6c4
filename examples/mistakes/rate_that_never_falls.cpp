// SPDX-License-Identifier: BSL-1.0
// A rate of which a throttled response takes nothing away.
// expect-error: anew::client_rate_limiter<Then, Constants> requires 0 < beta < 1 and 0 < scale
#include "anew/anew.hpp"
#include "anew/pacer/client_rate_limiter.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
constexpr anew::rate_limiter_constants numbers{.beta = 1};
#else  // right
constexpr anew::rate_limiter_constants numbers{.beta = 0.9};
#endif
// [/fix]

int main() {
  anew::strategy<anew::client_rate_limiter<anew::when_limited::wait, numbers>> const strategy{};
  anew::retry(strategy, [] {});
}
