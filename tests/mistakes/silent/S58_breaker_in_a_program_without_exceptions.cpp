// SPDX-License-Identifier: BSL-1.0
// prints: anew: the gate refused the attempt
// Meant: a call that returns bool never throws.
#include "given.hpp"

int main() {
  anew::strategy<anew::circuit_breaker<5, 30s>, anew::retry_all, anew::no_backoff> const strategy{};
  int done = 0;
  for (int i = 0; i != 3; ++i) done += anew::retry(strategy, fails, no_sleep) ? 1 : 0;
  return done;
}
