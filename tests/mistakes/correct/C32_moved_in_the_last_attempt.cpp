// SPDX-License-Identifier: BSL-1.0
// prints: payload after 3 calls
#include "given.hpp"

namespace moved_in_the_last_attempt {

std::string send(std::string const& body) {
  fail_twice();
  return body;
}
void run() {
  std::string const body = "payload";
  std::printf("%s", anew::retry(usual{}, [&] { return send(body); }, no_sleep).c_str());
  print_calls();
}

}  // namespace moved_in_the_last_attempt

int main() {
  moved_in_the_last_attempt::run();
  return 0;
}
