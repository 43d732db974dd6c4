// SPDX-License-Identifier: BSL-1.0
// Meant: the calls share a bucket, which is made anew for each of them.
#include "given.hpp"

bool fails() { return ++calls, false; }
using client = thrice<anew::retry_all, anew::token_bucket<28>>;

int main() {
  int done = 0;
  for (int i = 0; i != 10; ++i) done += anew::retry(client{}, fails, no_sleep) ? 1 : 0;
  std::printf("calls=%d done=%d\n", calls, done);
}
