// SPDX-License-Identifier: BSL-1.0
// A clock of one's own returns an anew::time_point, which is the steady clock's.
// expect-error: Clock policy
// expect-error: anew::time_point now() const
#include <chrono>

#include "anew/anew.hpp"

struct ticks {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
// [fix]
#ifdef ANEW_REJECT  // wrong
  std::chrono::milliseconds now() const { return std::chrono::milliseconds{7}; }
#else  // right
  anew::time_point now() const { return anew::time_point{std::chrono::milliseconds{7}}; }
#endif
  // [/fix]
};

int main() {
  anew::retry(anew::strategy<ticks>{}, [] {});
}
