// SPDX-License-Identifier: BSL-1.0
// prints: last id 42 after 3 calls
#include <cstdint>

#include "given.hpp"

std::int64_t insert() {
  fail_twice();
  return 42;
}
int main() {
  std::printf("last id %lld", static_cast<long long>(anew::retry(usual{}, insert, no_sleep)));
  print_calls();
}
