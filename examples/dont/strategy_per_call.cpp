// SPDX-License-Identifier: BSL-1.0
// A bucket or a breaker limits the calls that share it.
#include "given.hpp"

bool request() { return ++requests, false; }  // the service is down

using client = anew::strategy<anew::no_backoff, anew::token_bucket<28>, anew::retry_all>;

// [dont]
bool fetch_alone() {
  client const strategy{};  // a full bucket for each call
  return anew::retry(strategy, request);
}
// [/dont]

// [do]
class service {
 public:
  bool fetch() const { return anew::retry(strategy_, request); }

 private:
  client strategy_{};  // one bucket for all calls
};
// [/do]

int main() {
  int done = 0;
  for (int i = 0; i != 10; ++i) done += fetch_alone() ? 1 : 0;
  std::printf("DON'T 10 calls made %d requests\n", requests);
  requests = 0;
  service const s;
  for (int i = 0; i != 10; ++i) done += s.fetch() ? 1 : 0;
  std::printf("DO    10 calls made %d requests\n", requests);
  return done;
}
