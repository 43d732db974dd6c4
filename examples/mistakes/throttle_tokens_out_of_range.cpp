// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Throttle without tokens
// The bounds are those of gRPC's service config. To never retry, use `anew::max_attempts<1>`.
// expect-error: anew::retry_throttle<MaxTokens> requires 1 <= MaxTokens <= 1000
#include "anew/anew.hpp"
#include "anew/quota/retry_throttle.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using budget = anew::retry_throttle<0>;
#else  // right
using budget = anew::retry_throttle<10>;
#endif
// [/fix]

int main() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
