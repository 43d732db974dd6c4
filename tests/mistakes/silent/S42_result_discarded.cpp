// SPDX-License-Identifier: BSL-1.0
// Meant: the call throws when it fails.
#include "given.hpp"

int main() {
  anew::retry(thrice<anew::retry_all>{}, fails, no_sleep);
  std::puts("done");
}
