// SPDX-License-Identifier: BSL-1.0
// prints: abc after 3 calls
#include <string_view>

#include "given.hpp"

namespace view_of_text {

std::string_view read() {
  fail_twice();
  return "abc";
}
void run() {
  std::printf("%s", anew::retry(usual{}, read, no_sleep).data());
  print_calls();
}

}  // namespace view_of_text

int main() {
  view_of_text::run();
  return 0;
}
