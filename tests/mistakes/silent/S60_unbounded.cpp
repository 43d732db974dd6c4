// SPDX-License-Identifier: BSL-1.0
// Meant: unbounded attempts are a few. Nothing slows them down.
#include "given.hpp"

using client = anew::strategy<anew::no_backoff, anew::retry_all, anew::unbounded>;

int main() {
  auto const fails = [] { return ++calls == 100'000; };
  print(anew::retry_outcome(client{}, fails));
}
