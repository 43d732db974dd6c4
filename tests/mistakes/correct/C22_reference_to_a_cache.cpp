// SPDX-License-Identifier: BSL-1.0
// prints: one after 3 calls
#include "given.hpp"

std::string cached = "one";
std::string& look_up() {
  fail_twice();
  return cached;
}
int main() {
  std::printf("%s", anew::retry(usual{}, look_up, no_sleep).c_str());
  print_calls();
}
