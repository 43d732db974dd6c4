// SPDX-License-Identifier: BSL-1.0
// Meant: what the operation throws is retried.
#include "given.hpp"

void send() noexcept {
  ++calls;
  throw net_error{"x"};
}

int main() { print(anew::retry_outcome(thrice<anew::retry_all>{}, send, no_sleep)); }
