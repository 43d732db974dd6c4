// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A rate that never falls
// A throttled response multiplies the rate by `beta`, so it lies between 0 and 1; with 1, throttling has no effect.
// `scale` is how fast the rate grows back. The published values are 0.7 and 0.4.
// expect-error: anew::client_rate_limiter<Then, Constants> requires 0 < beta < 1 and scale > 0
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
