// SPDX-License-Identifier: BSL-1.0
// prints: 1 a 2.5 after 3 calls
#include <tuple>

#include "given.hpp"

namespace tuple_of_a_row {

std::tuple<int, std::string, double> row() {
  fail_twice();
  return {1, "a", 2.5};
}
void run() {
  auto const [id, name, price] = anew::retry(usual{}, row, no_sleep);
  std::printf("%d %s %.1f", id, name.c_str(), price);
  print_calls();
}

}  // namespace tuple_of_a_row

int main() {
  tuple_of_a_row::run();
  return 0;
}
