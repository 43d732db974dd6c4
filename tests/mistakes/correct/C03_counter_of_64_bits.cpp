// SPDX-License-Identifier: BSL-1.0
// prints: last id 42 after 3 calls
#include <cstdint>

#include "given.hpp"

namespace counter_of_64_bits {

std::int64_t insert() {
  fail_twice();
  return 42;
}
void run() {
  std::printf("last id %lld", static_cast<long long>(anew::retry(usual{}, insert, no_sleep)));
  print_calls();
}

}  // namespace counter_of_64_bits

int main() {
  counter_of_64_bits::run();
  return 0;
}
