// SPDX-License-Identifier: BSL-1.0
// prints: text after 3 calls
#include <variant>

#include "given.hpp"

std::variant<int, std::string> cell() {
  fail_twice();
  return "text";
}
int main() {
  std::printf("%s", std::get<1>(anew::retry(usual{}, cell, no_sleep)).c_str());
  print_calls();
}
