// SPDX-License-Identifier: BSL-1.0
// compose() copies its policies.
#include <atomic>

#include "given.hpp"

bool request() { return ++requests, false; }

// [dont]
struct counts_inside {
  using role = anew::roles::observer;
  void on_retry(anew::retry_event const&) const { ++retries; }
  mutable int retries = 0;
};
// [/dont]

// [do]
struct counts_outside {
  using role = anew::roles::observer;
  void on_retry(anew::retry_event const&) const { retries->fetch_add(1); }
  std::atomic<int>* retries;
};
// [/do]

int main() {
  {
    // [read_back]
    counts_inside counter;
    auto const strategy = anew::compose(counter, anew::no_backoff{}, anew::retry_all{});
    bool const done = anew::retry(strategy, request);  // counts in the strategy's copy
    // [/read_back]
    std::printf("DON'T %d retries%s\n", counter.retries, done ? ", done" : "");
  }
  {
    // [pointer]
    std::atomic<int> retries{0};
    auto const strategy = anew::compose(counts_outside{&retries}, anew::no_backoff{}, anew::retry_all{});
    bool const done = anew::retry(strategy, request);
    // [/pointer]
    std::printf("DO    %d retries%s\n", retries.load(), done ? ", done" : "");
  }
}
