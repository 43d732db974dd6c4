// SPDX-License-Identifier: BSL-1.0
// prints: 1 a 2.5 after 3 calls
#include <tuple>

#include "given.hpp"

std::tuple<int, std::string, double> row() { return fail_twice(), std::tuple<int, std::string, double>{1, "a", 2.5}; }
int main() {
  auto const [id, name, price] = anew::retry(usual{}, row, no_sleep);
  tell_all(id, " ", name, " ", price);
}
