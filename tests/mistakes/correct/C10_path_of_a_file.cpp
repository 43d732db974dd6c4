// SPDX-License-Identifier: BSL-1.0
// prints: /tmp/a after 3 calls
#include <filesystem>

#include "given.hpp"

std::filesystem::path download() {
  fail_twice();
  return "/tmp/a";
}
int main() {
  std::printf("%s", anew::retry(usual{}, download, no_sleep).c_str());
  print_calls();
}
