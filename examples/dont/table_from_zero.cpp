// SPDX-License-Identifier: BSL-1.0
// Retries count from 1, and so does the argument of a backoff's delay().
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "given.hpp"

constexpr std::array<anew::duration, 3> delays{10ms, 100ms, 1s};

// [dont]
struct from_zero {
  using role = anew::roles::backoff;
  [[nodiscard]] static anew::duration delay(std::uint32_t n) { return delays[std::min(n, std::uint32_t{2})]; }
};
// [/dont]

// [do]
struct from_one {
  using role = anew::roles::backoff;
  [[nodiscard]] static anew::duration delay(std::uint32_t n) { return delays[std::min(n, std::uint32_t{3}) - 1]; }
};
// [/do]

void print_sleep(anew::duration delay) { std::printf(" %lld ms", static_cast<long long>(delay / 1ms)); }
bool request() { return false; }

int main() {
  using anew::max_attempts, anew::no_jitter, anew::retry_all, anew::strategy;
  std::printf("DON'T waits");
  bool done = anew::retry(strategy<from_zero, no_jitter, retry_all, max_attempts<4>>{}, request, print_sleep);
  std::printf("\nDO    waits");
  done = anew::retry(strategy<from_one, no_jitter, retry_all, max_attempts<4>>{}, request, print_sleep) || done;
  std::printf("\n");
  return done ? 1 : 0;
}
