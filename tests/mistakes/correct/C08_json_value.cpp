// SPDX-License-Identifier: BSL-1.0
// prints: 3 after 3 calls
#include "given.hpp"

// Converts to what it holds, as JSON libraries' values do.
struct value {
  std::string text;
  operator bool() const { return text == "true"; }
  operator std::string() const { return text; }
  operator int() const { return std::stoi(text); }
};
value parse() { return fail_twice(), value{"3"}; }
int main() {
  int const n = anew::retry(usual{}, parse, no_sleep);
  tell_all(n);
}
