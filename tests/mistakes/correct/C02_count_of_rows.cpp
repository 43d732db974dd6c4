// SPDX-License-Identifier: BSL-1.0
// prints: 7 rows after 3 calls
#include "given.hpp"

namespace count_of_rows {

int update() {
  fail_twice();
  return 7;
}
void run() {
  std::printf("%d rows", anew::retry(usual{}, update, no_sleep));
  print_calls();
}

}  // namespace count_of_rows

int main() {
  count_of_rows::run();
  return 0;
}
