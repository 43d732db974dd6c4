// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / Clock policy
// `anew::time_point` is the steady clock's, in nanoseconds; a clock of your own counts from any point it likes.
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
