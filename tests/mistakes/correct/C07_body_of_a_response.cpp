// SPDX-License-Identifier: BSL-1.0
// prints: hello after 3 calls
#include "given.hpp"

namespace body_of_a_response {

std::string get() {
  fail_twice();
  return "hello";
}
void run() {
  std::printf("%s", anew::retry(usual{}, get, no_sleep).c_str());
  print_calls();
}

}  // namespace body_of_a_response

int main() {
  body_of_a_response::run();
  return 0;
}
