// SPDX-License-Identifier: BSL-1.0
// retry_if is asked what to retry, not what is well.
#include "given.hpp"

struct reply {
  int number;
};
reply ask() { return {++requests < 3 ? 1 : 0}; }

int main() {
  {
    // [dont]
    auto const is_ok = [](reply const& r) { return r.number == 0; };
    auto const strategy = anew::compose(anew::retry_if{is_ok}, anew::no_backoff{});
    // [/dont]
    print("DON'T", anew::retry_outcome(strategy, ask));
  }
  requests = 0;
  {
    // [do]
    auto const is_busy = [](reply const& r) { return r.number == 1; };
    auto const strategy = anew::compose(anew::retry_if{is_busy}, anew::no_backoff{});
    // [/do]
    print("DO", anew::retry_outcome(strategy, ask));
  }
}
