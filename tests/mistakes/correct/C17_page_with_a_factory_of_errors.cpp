// SPDX-License-Identifier: BSL-1.0
// prints: page 1 after 3 calls
#include "given.hpp"

namespace page_with_a_factory_of_errors {

struct page {
  int number;
  static page error(std::string const&) { return {0}; }
};
page load() {
  fail_twice();
  return {1};
}
void run() {
  std::printf("page %d", anew::retry(usual{}, load, no_sleep).number);
  print_calls();
}

}  // namespace page_with_a_factory_of_errors

int main() {
  page_with_a_factory_of_errors::run();
  return 0;
}
