// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A pace of nothing
// An attempt takes one token. Where there is no room for one, or none ever comes, it would wait for ever. To end
// calls rather than let them wait there is `when_limited::fail_fast`.
// expect-error: anew::client_rate_limiter<Then, Constants> requires min_fill_rate > 0 and min_capacity >= 1
#include "anew/anew.hpp"
#include "anew/pacer/client_rate_limiter.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
constexpr anew::rate_limiter_constants numbers{.min_fill_rate = 0};
#else  // right
constexpr anew::rate_limiter_constants numbers{.min_fill_rate = 0.1};
#endif
// [/fix]

int main() {
  anew::strategy<anew::client_rate_limiter<anew::when_limited::wait, numbers>> const strategy{};
  anew::retry(strategy, [] {});
}
