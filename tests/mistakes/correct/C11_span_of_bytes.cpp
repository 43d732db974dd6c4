// SPDX-License-Identifier: BSL-1.0
// prints: 3 bytes after 3 calls
#include <cstddef>
#include <span>

#include "given.hpp"

std::span<std::byte const> read() {
  static constexpr std::byte buffer[3]{};
  fail_twice();
  return buffer;
}
int main() {
  std::printf("%zu bytes", anew::retry(usual{}, read, no_sleep).size());
  print_calls();
}
