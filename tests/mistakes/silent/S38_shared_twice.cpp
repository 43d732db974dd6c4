// SPDX-License-Identifier: BSL-1.0
// Meant: both strategies pay from one bucket.
#include "given.hpp"

using client =
    anew::strategy<anew::no_backoff, anew::retry_all, anew::max_attempts<8>, anew::shared<anew::token_bucket<70>>>;

int main() {
  client const reads_and_writes[2]{};
  bool const done =
      anew::retry(reads_and_writes[0], fails, no_sleep) || anew::retry(reads_and_writes[1], fails, no_sleep);
  std::printf("calls=%d done=%d\n", calls, done);
}
