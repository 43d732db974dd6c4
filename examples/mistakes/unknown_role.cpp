// SPDX-License-Identifier: BSL-1.0
// A role of one's own invention: no strategy has a place for it.
// expect-error: requires every policy's 'role' to be one of anew::roles
#include <chrono>
#include <cstdint>

#include "anew/anew.hpp"

struct slow {
// [fix]
#ifdef ANEW_REJECT  // wrong
  using role = struct waiting;
#else  // right
  using role = anew::roles::backoff;
#endif
  // [/fix]
  static anew::duration delay(std::uint32_t retry) { return retry * std::chrono::seconds{1}; }
};

int main() {
  anew::retry(anew::strategy<slow>{}, [] {});
}
