// SPDX-License-Identifier: BSL-1.0
// A call that fails twice and then succeeds.
// [all]
#include <cstdio>
#include <stdexcept>
#include <string>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct connection_lost : std::runtime_error {
  using runtime_error::runtime_error;
};

// [strategy]
using quick = anew::strategy<anew::exponential_backoff<1ms, 50ms>,  // 1 ms, 2 ms, 4 ms, ... at most 50 ms
                             anew::full_jitter,                     // of which each caller waits a random part
                             anew::token_bucket<500>,               // all calls together: no storm of retries
                             anew::retry_on<connection_lost>,       // nothing else is retried
                             anew::max_attempts<3>>;                // the first call is attempt 1
// [/strategy]

// [operation]
std::string fetch(anew::attempt& attempt) {
  std::printf("attempt %u\n", attempt.number());
  if (attempt.number() < 3) throw connection_lost{"the line is dead"};
  return "hello";
}
// [/operation]

// [call]
int main() {
  quick const strategy{};  // keep it: the calls share its token bucket
  std::string const answer = anew::retry(strategy, fetch);
  std::printf("%s\n", answer.c_str());
}
// [/call]
// [/all]
