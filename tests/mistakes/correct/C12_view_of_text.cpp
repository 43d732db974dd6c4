// SPDX-License-Identifier: BSL-1.0
// prints: abc after 3 calls
#include <string_view>

#include "given.hpp"

std::string_view read() { return fail_twice(), "abc"; }
int main() { tell_all(anew::retry(usual{}, read, no_sleep).data()); }
