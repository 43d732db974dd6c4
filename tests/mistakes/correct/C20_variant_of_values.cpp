// SPDX-License-Identifier: BSL-1.0
// prints: text after 3 calls
#include <variant>

#include "given.hpp"

std::variant<int, std::string> cell() { return fail_twice(), "text"; }
int main() { tell_all(std::get<1>(anew::retry(usual{}, cell, no_sleep))); }
