// SPDX-License-Identifier: BSL-1.0
// prints: took 300 ms
// Meant: the deadline ends an attempt that is under way.
#include "given.hpp"

anew::time_point virtual_time{};
struct virtual_clock {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
  [[nodiscard]] static anew::time_point now() { return virtual_time; }
};
bool slow() {
  virtual_time += 300ms;
  return ++calls, false;
}

int main() {
  auto const outcome =
      anew::retry_outcome(thrice<anew::retry_all, anew::deadline<50ms>, virtual_clock>{}, slow, no_sleep);
  print(outcome);
  std::printf("took %lld ms\n", static_cast<long long>(outcome.elapsed() / 1ms));
}
