// SPDX-License-Identifier: BSL-1.0
// prints: 1 header after 3 calls
#include <map>

#include "given.hpp"

std::map<std::string, std::string> head() {
  fail_twice();
  return {{"server", "x"}};
}
int main() {
  std::printf("%zu header", anew::retry(usual{}, head, no_sleep).size());
  print_calls();
}
