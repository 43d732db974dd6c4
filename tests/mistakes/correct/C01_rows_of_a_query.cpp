// SPDX-License-Identifier: BSL-1.0
// prints: 2 rows after 3 calls
#include <vector>

#include "given.hpp"

struct row {
  int id;
  std::string name;
};
std::vector<row> select() {
  fail_twice();
  return {{1, "a"}, {2, "b"}};
}
int main() {
  std::printf("%zu rows", anew::retry(usual{}, select, no_sleep).size());
  print_calls();
}
