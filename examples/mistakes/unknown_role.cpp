// SPDX-License-Identifier: BSL-1.0
// section: Composing a strategy / Unknown role
// A strategy has a place for each role of `anew/concept/roles.hpp`. Anything else belongs in the operation, the
// sleeper, or an observer.
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
