// SPDX-License-Identifier: BSL-1.0
// A call that a gate refuses before its first attempt has no result of the operation to return.
#include "given.hpp"

bool request() { return ++requests, false; }

using guarded = anew::strategy<anew::circuit_breaker<3, 30s>, anew::retry_all, anew::no_backoff, virtual_clock>;

int main() {
  guarded const strategy{};
  bool done = anew::retry(strategy, request, virtual_sleep);  // opens the breaker
  try {
    // [dont]
    done = anew::retry(strategy, request, virtual_sleep);  // a bool may be expected to be returned
    // [/dont]
  } catch (anew::call_refused const& e) {
    std::printf("DON'T %s\n", e.what());
  }
  // [do]
  auto const outcome = anew::retry_outcome(strategy, request, virtual_sleep);
  done = outcome.has_result() && outcome.result();
  // [/do]
  std::printf("DO    %s, %s\n", done ? "done" : "not done", to_string(outcome.reason()));
}
