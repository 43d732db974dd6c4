// SPDX-License-Identifier: BSL-1.0
// prints: true after 3 calls
#include "given.hpp"

bool try_lock() { return ++calls == 3; }
int main() {
  bool const taken = anew::retry(thrice<anew::retry_all>{}, try_lock, no_sleep);
  tell_all(taken ? "true" : "false");
}
