// SPDX-License-Identifier: BSL-1.0
// prints: 19.5 after 3 calls
#include "given.hpp"

namespace price {

double quote() {
  fail_twice();
  return 19.5;
}
void run() {
  std::printf("%.1f", anew::retry(usual{}, quote, no_sleep));
  print_calls();
}

}  // namespace price

int main() {
  price::run();
  return 0;
}
