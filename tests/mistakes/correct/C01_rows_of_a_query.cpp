// SPDX-License-Identifier: BSL-1.0
// prints: 2 rows after 3 calls
#include <vector>

#include "given.hpp"

namespace rows_of_a_query {

struct row {
  int id;
  std::string name;
};
std::vector<row> select() {
  fail_twice();
  return {{1, "a"}, {2, "b"}};
}
void run() {
  std::printf("%zu rows", anew::retry(usual{}, select, no_sleep).size());
  print_calls();
}

}  // namespace rows_of_a_query

int main() {
  rows_of_a_query::run();
  return 0;
}
