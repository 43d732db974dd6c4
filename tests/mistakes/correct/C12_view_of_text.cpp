// SPDX-License-Identifier: BSL-1.0
// prints: abc after 3 calls
#include <string_view>

#include "given.hpp"

std::string_view read() {
  fail_twice();
  return "abc";
}
int main() {
  std::printf("%s", anew::retry(usual{}, read, no_sleep).data());
  print_calls();
}
