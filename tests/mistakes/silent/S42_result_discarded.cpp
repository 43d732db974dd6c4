// SPDX-License-Identifier: BSL-1.0
// Meant: the call throws when it fails.
#include "given.hpp"

bool fails() { return ++calls, false; }

int main() {
  anew::retry(thrice<anew::retry_all>{}, fails, no_sleep);
  std::puts("done");
}
