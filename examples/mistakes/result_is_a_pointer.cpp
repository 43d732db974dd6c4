// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A result that converts to bool
// A null pointer might mean a failure or an answer. The ways out are the same, or return a type that says it:
// `std::optional`, an expected-like type, an error code.
// expect-error: anew::retry(strategy, operation) requires a result that says whether it is a success
// expect-error: specialise anew::result_traits<R>
#include <cstdlib>
#include <optional>
#include <string>

#include "anew/anew.hpp"

char const* look_up() { return std::getenv("HOME"); }

int main() {
  using until_found = anew::strategy<anew::retry_all>;
// [fix]
#ifdef ANEW_REJECT  // wrong
  return anew::retry(until_found{}, look_up) != nullptr ? 0 : 1;
#else  // right
  auto const found = anew::retry(until_found{}, [] {
    auto const* const home = look_up();
    return home == nullptr ? std::nullopt : std::optional<std::string>{home};
  });
  return found ? 0 : 1;
#endif
  // [/fix]
}
