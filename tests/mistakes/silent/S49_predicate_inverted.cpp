// SPDX-License-Identifier: BSL-1.0
// Meant: the predicate says what is well. It is asked what to retry.
#include "given.hpp"

struct answer {
  int number;
};
answer get() { return ++calls, answer{200}; }

int main() {
  auto const is_ok = [](answer const& r) { return r.number == 200; };
  print(anew::retry_outcome(anew::compose(anew::retry_if{is_ok}, anew::no_backoff{}), get, no_sleep));
}
