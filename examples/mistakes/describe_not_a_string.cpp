// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A description that is not a string
// Any type that converts to `std::string` works; `std::string_view` does not.
// expect-error: requires a policy's 'describe' to be 'std::string describe() const'
#include <cstdint>
#include <string>
#include <string_view>

#include "anew/anew.hpp"

struct four_attempts {
  using role = anew::roles::max_attempts;
  bool permits_another(std::uint32_t made) const { return made < 4; }
// [fix]
#ifdef ANEW_REJECT  // wrong
  std::string_view describe() const { return "four_attempts"; }
#else  // right
  std::string describe() const { return "four_attempts"; }
#endif
  // [/fix]
};

int main() {
  anew::retry(anew::strategy<four_attempts>{}, [] {});
}
