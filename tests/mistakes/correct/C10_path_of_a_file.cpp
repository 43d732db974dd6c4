// SPDX-License-Identifier: BSL-1.0
// prints: /tmp/a after 3 calls
#include <filesystem>

#include "given.hpp"

namespace path_of_a_file {

std::filesystem::path download() {
  fail_twice();
  return "/tmp/a";
}
void run() {
  std::printf("%s", anew::retry(usual{}, download, no_sleep).c_str());
  print_calls();
}

}  // namespace path_of_a_file

int main() {
  path_of_a_file::run();
  return 0;
}
