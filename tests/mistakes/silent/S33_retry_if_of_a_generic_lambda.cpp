// SPDX-License-Identifier: BSL-1.0
// Meant: the predicate is asked about exceptions.
#include "given.hpp"

std::string get() {
  ++calls;
  throw net_error{"x"};
}

int main() {
  auto const any = [](auto const&) { return true; };
  print(anew::retry_outcome(anew::compose(anew::retry_if{any}, anew::no_backoff{}), get, no_sleep));
}
