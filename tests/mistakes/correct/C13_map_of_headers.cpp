// SPDX-License-Identifier: BSL-1.0
// prints: 1 header after 3 calls
#include <map>

#include "given.hpp"

namespace map_of_headers {

std::map<std::string, std::string> head() {
  fail_twice();
  return {{"server", "x"}};
}
void run() {
  std::printf("%zu header", anew::retry(usual{}, head, no_sleep).size());
  print_calls();
}

}  // namespace map_of_headers

int main() {
  map_of_headers::run();
  return 0;
}
