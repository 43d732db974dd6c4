// SPDX-License-Identifier: BSL-1.0
// prints: sent after 3 calls
#include "given.hpp"

namespace nothing {

void send() { fail_twice(); }
void run() {
  anew::retry(usual{}, send, no_sleep);
  std::printf("sent");
  print_calls();
}

}  // namespace nothing

int main() {
  nothing::run();
  return 0;
}
