// SPDX-License-Identifier: BSL-1.0
// Meant: the counter outside is the one that counts. compose() copies it.
#include "given.hpp"

struct counter {
  using role = anew::roles::observer;
  void on_retry(anew::retry_event const&) const { ++retries; }
  mutable int retries = 0;
};

int main() {
  counter count;
  auto const strategy = anew::compose(count, anew::no_backoff{}, anew::retry_all{});
  print(anew::retry_outcome(strategy, fails, no_sleep));
  std::printf("retries=%d\n", count.retries);
}
