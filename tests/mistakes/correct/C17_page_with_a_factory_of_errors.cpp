// SPDX-License-Identifier: BSL-1.0
// prints: page 1 after 3 calls
#include "given.hpp"

struct page {
  int number;
  static page error(std::string const&) { return {0}; }
};
page load() {
  fail_twice();
  return {1};
}
int main() {
  std::printf("page %d", anew::retry(usual{}, load, no_sleep).number);
  print_calls();
}
