// SPDX-License-Identifier: BSL-1.0
// prints: 7 after 3 calls
#include "given.hpp"

namespace optional_that_fills {

std::optional<int> find() { return ++calls == 3 ? std::optional{7} : std::nullopt; }
void run() {
  std::printf("%d", anew::retry(thrice<anew::retry_all>{}, find, no_sleep).value());
  print_calls();
}

}  // namespace optional_that_fills

int main() {
  optional_that_fills::run();
  return 0;
}
