// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A rate that is never measured
// `smooth` is the weight of the latest half second in the measured rate. With 0 the rate never changes; with 1 only
// the last half second counts.
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
