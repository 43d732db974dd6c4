// SPDX-License-Identifier: BSL-1.0
// prints: 2 rows after 3 calls
#include <vector>

#include "given.hpp"

struct row {
  int id;
  std::string name;
};
std::vector<row> select() { return fail_twice(), std::vector<row>{{1, "a"}, {2, "b"}}; }
int main() { tell_all(anew::retry(usual{}, select, no_sleep).size(), " rows"); }
