// SPDX-License-Identifier: BSL-1.0
// Meant: the breaker opens after five failures.
#include "given.hpp"

bool fails() { return ++calls, false; }
using client = anew::strategy<anew::circuit_breaker<5, 30s>, anew::retry_all, anew::max_attempts<1>>;

int main() {
  int done = 0;
  for (int i = 0; i != 20; ++i) done += anew::retry(client{}, fails, no_sleep) ? 1 : 0;
  std::printf("calls=%d done=%d\n", calls, done);
}
