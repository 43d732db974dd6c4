// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A pace of zero
// An attempt takes one token. If the bucket has no room for a token, or never receives one, it would wait for ever.
// To end calls instead of letting them wait, use `when_limited::fail_fast`.
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
