// SPDX-License-Identifier: BSL-1.0
// Meant: retry_on<E*> names E.
#include "given.hpp"

void send() {
  ++calls;
  throw net_error{"x"};
}

int main() { print(anew::retry_outcome(thrice<anew::retry_on<net_error*>>{}, send, no_sleep)); }
