// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / MaxAttempts policy
// `permits_another` answers one question: may another attempt follow?
// expect-error: MaxAttempts policy
// expect-error: bool permits_another(std::uint32_t made) const
#include <cstdint>

#include "anew/anew.hpp"

struct seven {
  using role = anew::roles::max_attempts;
// [fix]
#ifdef ANEW_REJECT  // wrong
  std::uint32_t value() const { return 7; }
#else  // right
  bool permits_another(std::uint32_t made) const { return made < 7; }
#endif
  // [/fix]
};

int main() {
  anew::retry(anew::strategy<seven>{}, [] {});
}
