// SPDX-License-Identifier: BSL-1.0
// prints: one after 3 calls
#include "given.hpp"

std::string cached = "one";
std::string& look_up() { return fail_twice(), cached; }
int main() { tell_all(anew::retry(usual{}, look_up, no_sleep)); }
