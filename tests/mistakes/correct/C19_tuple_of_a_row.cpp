// SPDX-License-Identifier: BSL-1.0
// prints: 1 a 2.5 after 3 calls
#include <tuple>

#include "given.hpp"

std::tuple<int, std::string, double> row() {
  fail_twice();
  return {1, "a", 2.5};
}
int main() {
  auto const [id, name, price] = anew::retry(usual{}, row, no_sleep);
  std::printf("%d %s %.1f", id, name.c_str(), price);
  print_calls();
}
