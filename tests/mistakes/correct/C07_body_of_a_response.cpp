// SPDX-License-Identifier: BSL-1.0
// prints: hello after 3 calls
#include "given.hpp"

std::string get() {
  fail_twice();
  return "hello";
}
int main() {
  std::printf("%s", anew::retry(usual{}, get, no_sleep).c_str());
  print_calls();
}
