// SPDX-License-Identifier: BSL-1.0
// prints: the operation must be callable, but is empty
// Meant: an empty function is refused.
#include <functional>

#include "given.hpp"

int main() {
  std::function<bool()> const nothing;
  return anew::retry(thrice<anew::retry_all>{}, nothing, no_sleep) ? 0 : 1;
}
