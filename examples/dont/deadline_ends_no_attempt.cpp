// SPDX-License-Identifier: BSL-1.0
// A deadline ends sleeps. An attempt that is under way ends when it looks.
#include "given.hpp"

using client = anew::strategy<anew::constant_backoff<10ms>, anew::no_jitter, anew::retry_all, virtual_clock,
                              anew::deadline<100ms>, anew::unbounded>;

/// A query that would take half a second, and gives up after its time limit.
bool query(anew::duration limit) {
  virtual_time += limit < 500ms ? limit : 500ms;
  return limit >= 500ms;
}

int main() {
  {
    // [dont]
    auto const outcome = anew::retry_outcome(client{}, [] { return query(1h); }, virtual_sleep);
    // [/dont]
    std::printf("DON'T %lld ms, %s\n", static_cast<long long>(outcome.elapsed() / 1ms), to_string(outcome.reason()));
  }
  {
    // [do]
    auto const within = [](anew::attempt& attempt) { return query(attempt.limit(1h)); };  // or what the call has left
    auto const outcome = anew::retry_outcome(client{}, within, virtual_sleep);
    // [/do]
    std::printf("DO    %lld ms, %s\n", static_cast<long long>(outcome.elapsed() / 1ms), to_string(outcome.reason()));
  }
}
