// SPDX-License-Identifier: BSL-1.0
// section: Limits of attempts / AttemptTimeout policy
// All times of the library are anew::duration: milliseconds may hold more than it can.
// expect-error: AttemptTimeout policy
// expect-error: of(anew::duration remaining) const
#include <chrono>

#include "anew/anew.hpp"

struct a_second {
  using role = anew::roles::attempt_timeout;
// [fix]
#ifdef ANEW_REJECT  // wrong
  std::chrono::milliseconds of(anew::duration /*remaining*/) const { return std::chrono::seconds{1}; }
#else  // right
  anew::duration of(anew::duration /*remaining*/) const { return std::chrono::seconds{1}; }
#endif
  // [/fix]
};

int main() {
  anew::retry(anew::strategy<a_second>{}, [](anew::attempt&) {});
}
