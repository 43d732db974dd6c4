// SPDX-License-Identifier: BSL-1.0
// Unbounded attempts without a delay are as many as the machine can make.
#include "given.hpp"

bool request() {  // takes a microsecond; the service comes back after 100 ms
  ++requests;
  virtual_time += 1us;
  return virtual_time >= anew::time_point{100ms};
}

// [dont]
using eager = anew::strategy<anew::no_backoff, anew::unbounded, anew::retry_all, virtual_clock>;
// [/dont]

// [do]
using patient = anew::strategy<anew::exponential_backoff<10ms, 5s>, anew::unbounded, anew::deadline<1min>,
                               anew::no_jitter, anew::retry_all, virtual_clock>;
// [/do]

int main() {
  bool done = anew::retry(eager{}, request, virtual_sleep);
  std::printf("DON'T %d requests, %s\n", requests, done ? "done" : "failed");
  requests = 0;
  virtual_time = {};
  done = anew::retry(patient{}, request, virtual_sleep);
  std::printf("DO    %d requests, %s\n", requests, done ? "done" : "failed");
}
