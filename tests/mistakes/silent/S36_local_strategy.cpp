// SPDX-License-Identifier: BSL-1.0
// Meant: the calls share a bucket, which is made anew by each of them.
#include "given.hpp"

bool call() {
  thrice<anew::retry_all, anew::token_bucket<28>> const strategy{};
  return anew::retry(strategy, fails, no_sleep);
}

int main() {
  int done = 0;
  for (int i = 0; i != 10; ++i) done += call() ? 1 : 0;
  std::printf("calls=%d done=%d\n", calls, done);
}
