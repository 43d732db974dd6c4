// SPDX-License-Identifier: BSL-1.0
// prints: payload after 3 calls
#include "given.hpp"

std::string send(std::string const& body) {
  fail_twice();
  return body;
}
int main() {
  std::string const body = "payload";
  std::printf("%s", anew::retry(usual{}, [&] { return send(body); }, no_sleep).c_str());
  print_calls();
}
