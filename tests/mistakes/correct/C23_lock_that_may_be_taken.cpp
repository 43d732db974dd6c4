// SPDX-License-Identifier: BSL-1.0
// prints: true after 3 calls
#include "given.hpp"

namespace lock_that_may_be_taken {

bool try_lock() { return ++calls == 3; }
void run() {
  bool const taken = anew::retry(thrice<anew::retry_all>{}, try_lock, no_sleep);
  std::printf("%s", taken ? "true" : "false");
  print_calls();
}

}  // namespace lock_that_may_be_taken

int main() {
  lock_that_may_be_taken::run();
  return 0;
}
