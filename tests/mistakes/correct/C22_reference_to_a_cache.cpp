// SPDX-License-Identifier: BSL-1.0
// prints: one after 3 calls
#include "given.hpp"

namespace reference_to_a_cache {

std::string cached = "one";
std::string& look_up() {
  fail_twice();
  return cached;
}
void run() {
  std::printf("%s", anew::retry(usual{}, look_up, no_sleep).c_str());
  print_calls();
}

}  // namespace reference_to_a_cache

int main() {
  reference_to_a_cache::run();
  return 0;
}
